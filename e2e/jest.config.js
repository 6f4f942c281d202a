/** @type {import('jest').Config} */
module.exports = {
	...require('../jest.config.js'),
	rootDir: __dirname,
	setupFiles: [],
	roots: ['<rootDir>'],
	// Most tests spend most of their time waiting.
	maxWorkers: 2,
	testSequencer: '<rootDir>/sequencer.js',
	testTimeout: 300_000,
};
