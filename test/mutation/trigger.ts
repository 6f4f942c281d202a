import { join } from 'node:path';

// The tests of the pure code in one file: sources and libraries are then loaded once for each mutant. The first failure
// ends a run, so the quick tests come first, and those that run long last.
const files = ['eventId', 'window.property', 'simulation.property'];
describe.each(files)('%s', (name) => {
	jest.requireActual(join(__dirname, '..', 'trigger', `${name}.test.ts`));
});
