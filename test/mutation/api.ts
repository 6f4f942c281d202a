import { readdirSync } from 'node:fs';
import { join } from 'node:path';

// All tests of the pure code in one file: sources and libraries are then loaded once for each mutant.
const files = ['api', 'fields'].flatMap((folder) =>
	readdirSync(join(__dirname, '..', folder))
		.filter((name) => name.endsWith('.test.ts'))
		.map((name) => `${folder}/${name}`),
);
describe.each(files)('%s', (file) => {
	jest.requireActual(join(__dirname, '..', file));
});
