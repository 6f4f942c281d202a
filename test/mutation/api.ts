import { readdirSync } from 'node:fs';
import { join } from 'node:path';

// All tests of the pure code in one file: sources and libraries are then loaded once for each mutant.
const folder = join(__dirname, '../api');
const files = readdirSync(folder).filter((name) => name.endsWith('.test.ts'));
describe.each(files)('%s', (file) => {
	jest.requireActual(join(folder, file));
});
