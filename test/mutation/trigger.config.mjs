import { base } from './base.mjs';

// The tests in n8n's engine run the trigger as built: the mutants are built into dist of the copy.
export default {
	...base('trigger', ['test/trigger/simulation.property.test.ts', 'test/trigger/trigger.test.ts']),
	mutate: ['nodes/Cases/trigger/changes/*.ts'],
	buildCommand: 'npm run build',
};
