import { base } from './base.mjs';

// The transport runs in n8n's engine, as built: the mutants are built into dist of the copy.
export default {
	...base(
		'transport',
		[
			'test/n8n/transport.test.ts',
			'test/n8n/refusedByN8n.test.ts',
			'test/robustness/secrets.test.ts',
		],
		{ sharesModules: false },
	),
	mutate: ['nodes/Cases/n8n/transport.ts'],
	buildCommand: 'npm run build',
};
