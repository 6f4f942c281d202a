import { dirname } from 'node:path';

interface Container {
	get: (type: unknown) => { enabled: boolean };
}

const { requireOnce = require } = globalThis as { requireOnce?: NodeJS.Require };

/** Returns a module that n8n's engine has loaded. */
function ofEngine(name: string): Record<string, unknown> {
	const paths = [dirname(require.resolve('n8n-core'))];
	return requireOnce(require.resolve(name, { paths })) as Record<string, unknown>;
}

/**
 * Switches on n8n's protection of internal addresses during the tests of a file, as the variable
 * N8N_SSRF_PROTECTION_ENABLED does when the engine loads.
 */
export function useSsrfProtection(): void {
	const set = (enabled: boolean) => {
		const { SsrfProtectionConfig } = ofEngine('@n8n/config');
		(ofEngine('@n8n/di').Container as Container).get(SsrfProtectionConfig).enabled = enabled;
	};
	beforeAll(() => set(true));
	afterAll(() => set(false));
}
