/** @type {import('jest').Config} */
module.exports = {
	...require('../jest.config.js'),
	rootDir: __dirname,
	// Not the root's, which shares n8n's engine: here n8n runs in processes of its own.
	testEnvironment: 'node',
	setupFiles: [],
	roots: ['<rootDir>'],
	// `npm run tour` and `npm run test:oldest` run these, each night.
	testPathIgnorePatterns: ['/node_modules/', '/(tour|oldest)\\.test\\.ts$'],
	// Most tests spend most of their time waiting.
	maxWorkers: 2,
	testSequencer: '<rootDir>/sequencer.js',
	// Only what hangs takes as long: whatever is awaited has a limit of its own, in tools/n8n/processes.ts.
	testTimeout: 900_000,
};
