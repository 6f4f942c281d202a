import { base } from './base.mjs';

export default {
	...base('trigger', ['test/mutation/trigger.ts'], { hasEngine: true }),
	mutate: ['nodes/Cases/trigger/changes/*.ts'],
};
