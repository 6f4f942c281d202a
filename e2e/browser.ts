import { existsSync } from 'node:fs';
import { type Browser, chromium, selectors } from 'playwright-core';

const CANDIDATES = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/**
 * Starts the installed Chromium without a window.
 * @throws Error that says what to install if there is none
 */
export async function startBrowser(): Promise<Browser> {
	const executablePath = process.env.CHROMIUM_PATH ?? CANDIDATES.find((path) => existsSync(path));
	if (executablePath === undefined) {
		throw new Error(
			'Chromium is missing: install the Debian package chromium, or set CHROMIUM_PATH to a Chromium or Chrome',
		);
	}
	selectors.setTestIdAttribute('data-test-id'); // n8n's spelling
	return await chromium.launch({
		executablePath,
		args: [
			'--no-sandbox',
			'--disable-gpu',
			'--disable-quic',
			'--no-first-run',
			'--disable-background-networking',
			'--disable-component-update',
			'--disable-sync',
		],
	});
}
