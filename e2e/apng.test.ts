import type { Browser, Page } from 'playwright-core';
import { animatedPng, type Frame } from './apng';
import { startBrowser } from './browser';

/** Only a page of a secure origin has a decoder. */
const ADDRESS = 'https://pictures.example/';

const SIZE = { width: 40, height: 30 };

let browser: Browser;
let page: Page;

beforeAll(async () => {
	browser = await startBrowser();
	page = await browser.newPage({ viewport: SIZE });
	await page.route(ADDRESS, async (route) => await route.fulfill({ body: '' }));
	await page.goto(ADDRESS);
});

afterAll(async () => await browser?.close());

/** A picture of one color with a red corner, as the browser takes it. */
async function picture(color: string, { width, height } = SIZE): Promise<Buffer> {
	await page.setViewportSize({ width, height });
	await page.setContent(
		`<body style="margin:0;background:${color}"><i style="display:block;width:9px;height:9px;background:red"></i>`,
	);
	return await page.screenshot();
}

interface Decoded {
	/** Null: without an end. */
	repeats: number | null;
	frames: Array<{ seconds: number; middle: string; corner: string }>;
}

/** Runs in the browser; a text, because the types of browsers aren't known here. */
const DECODE = `async (base64) => {
	const data = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
	const decoder = new ImageDecoder({ data, type: 'image/png' });
	await Promise.all([decoder.tracks.ready, decoder.completed]);
	const { frameCount, repetitionCount } = decoder.tracks.selectedTrack;
	const frames = [];
	for (let frameIndex = 0; frameIndex < frameCount; frameIndex++) {
		const { image } = await decoder.decode({ frameIndex });
		const context = new OffscreenCanvas(image.displayWidth, image.displayHeight).getContext('2d');
		context.drawImage(image, 0, 0);
		const colorAt = (x, y) => [...context.getImageData(x, y, 1, 1).data.slice(0, 3)].join(' ');
		const seconds = (image.duration ?? 0) / 1_000_000;
		frames.push({ seconds, middle: colorAt(20, 15), corner: colorAt(4, 4) });
	}
	return { repeats: Number.isFinite(repetitionCount) ? repetitionCount : null, frames };
}`;

/** What Chromium's own decoder finds in a picture. */
async function decode(png: Buffer): Promise<Decoded> {
	return await page.evaluate(`(${DECODE})('${png.toString('base64')}')`);
}

test('An animated PNG shows each frame for its time, again and again', async () => {
	const frames: Frame[] = [
		{ png: await picture('rgb(0, 0, 255)'), seconds: 1.5 },
		{ png: await picture('rgb(0, 255, 0)'), seconds: 4 },
		{ png: await picture('rgb(9, 99, 199)'), seconds: 0.25 },
	];

	const decoded = await decode(animatedPng(frames[1].png, frames));

	expect(decoded.repeats).toBeNull();
	expect(decoded.frames).toEqual([
		{ seconds: 1.5, middle: '0 0 255', corner: '255 0 0' },
		{ seconds: 4, middle: '0 255 0', corner: '255 0 0' },
		{ seconds: 0.25, middle: '9 99 199', corner: '255 0 0' },
	]);
});

test('An animated PNG is its still picture to a viewer that knows no animation', async () => {
	const [still, other] = [await picture('rgb(0, 255, 0)'), await picture('rgb(0, 0, 255)')];
	const png = animatedPng(still, [{ png: other, seconds: 1 }]);
	// Such a viewer skips the chunks that it doesn't know, above all the first one, behind signature and header.
	expect(png.toString('latin1', 37, 41)).toBe('acTL');
	const withoutAnimation = Buffer.concat([png.subarray(0, 33), png.subarray(53)]);

	const { frames } = await decode(withoutAnimation);

	expect(frames).toEqual([{ seconds: 0, middle: '0 255 0', corner: '255 0 0' }]);
});

test('Pictures of several sizes are refused', async () => {
	const still = await picture('rgb(0, 255, 0)');
	const smaller = await picture('rgb(0, 255, 0)', { width: 39, height: 30 });

	expect(() => animatedPng(still, [{ png: smaller, seconds: 1 }])).toThrow('one size');
});
