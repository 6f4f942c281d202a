import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

const DOCS = join(__dirname, '../docs');
const IMAGES = readdirSync(join(DOCS, 'images'));

/** These have several pictures in one file. */
const MOVING = ['ask-and-wait.png'];

const pages = [
	join(DOCS, '../README.md'),
	...readdirSync(DOCS)
		.filter((file) => file.endsWith('.md'))
		.map((file) => join(DOCS, file)),
].map((path) => readFileSync(path, 'utf8'));

describe.each(IMAGES)('docs/images/%s', (image) => {
	test('is shown or linked in the README or in docs/', () => {
		expect(pages.some((page) => page.includes(`images/${image})`))).toBe(true);
	});

	const kilobytes = MOVING.includes(image) ? 700 : 200;

	test(`is under ${kilobytes} KB`, () => {
		expect(statSync(join(DOCS, 'images', image)).size).toBeLessThan(kilobytes * 1000);
	});
});
