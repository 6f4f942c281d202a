import { base } from './base.mjs';

// What writes, filters and outputs: their tests run in n8n's engine.
export default {
	...base('engine', ['test/mutation/engine.ts'], { hasEngine: true }),
	mutate: [
		'nodes/Cases/api/{actions,writes}/*.ts',
		'nodes/Cases/fields/output.ts',
		'nodes/Cases/fields/filters/*.ts',
	],
};
