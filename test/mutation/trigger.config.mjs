import { base } from './base.mjs';

// The tests in n8n's engine run the trigger as built: the mutants are built into dist of the copy.
export default {
	...base('trigger', [
		...[
			'simulation.property',
			'caseIds.property',
			'rounds',
			'events',
			'state',
			'limits',
			'failures',
		].map((name) => `test/trigger/${name}.test.ts`),
	]),
	mutate: ['nodes/Cases/trigger/changes/*.ts'],
	buildCommand: 'npm run build',
};
