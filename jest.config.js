const { availableParallelism } = require('node:os');

// Tests leave much behind that is soon garbage. With more room for young objects, collecting it takes less of the time.
// Jest passes these arguments to its workers.
process.execArgv.push('--max-semi-space-size=64');

/** @type {import('jest').Config} */
module.exports = {
	testEnvironment: '<rootDir>/test/support/environment.js',
	roots: ['<rootDir>/test', '<rootDir>/sandbox', '<rootDir>/tools'],
	testMatch: ['**/*.test.ts'],
	transform: {
		'^.+\\.ts$': ['@swc/jest', { jsc: { target: 'es2022', parser: { syntax: 'typescript' } } }],
	},
	testSequencer: '<rootDir>/test/support/sequencer.js',
	setupFiles: ['<rootDir>/test/support/seed.js', '<rootDir>/test/support/sharedModules.js'],
	testTimeout: 30_000,
	// Tests spend much time waiting for answers, so running two files at once is faster even on two cores.
	maxWorkers: Math.max(2, availableParallelism() - 1),
	// Only the pure code, because the rest of the package is tested as built, in n8n's engine.
	collectCoverageFrom: ['nodes/Cases/api/**/*.ts'],
	coverageProvider: 'v8',
	coverageReporters: ['text-summary'],
	coverageThreshold: { global: { lines: 98, branches: 95, functions: 98 } },
};
