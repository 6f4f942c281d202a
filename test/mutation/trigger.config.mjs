import { base } from './base.mjs';

// Only tests of the pure code: what the trigger does in n8n's engine is tested as built, which would be slow here.
export default {
	...base('trigger', ['test/mutation/trigger.ts']),
	mutate: ['nodes/Cases/trigger/changes/*.ts'],
};
