import { base } from './base.mjs';

// The transport runs in n8n's engine, as built: the mutants are built into dist of the copy.
export default {
	...base('transport', [
		'test/nodes/transport.test.ts',
		'test/nodes/refusedByN8n.test.ts',
		'test/robustness/secrets.test.ts',
	]),
	mutate: ['nodes/Cases/transport.ts'],
	buildCommand: 'npm run build',
};
