import { base } from './base.mjs';

export default {
	...base('trigger', ['test/trigger/simulation.property.test.ts']),
	mutate: ['nodes/Cases/api/trigger/*.ts'],
};
