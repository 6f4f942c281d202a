import { join } from 'node:path';

// The tests of the pure code in one file: sources and libraries are then loaded once for each mutant.
const files = [
	'bulkEdit',
	'clock',
	'digest',
	'eventId',
	'followMatches',
	'matches',
	'packNumbers',
	'readState',
	'rounds',
	'caseIds.property',
	'simulation.property',
];
describe.each(files)('%s', (name) => {
	jest.requireActual(join(__dirname, '..', 'trigger', `${name}.test.ts`));
});
