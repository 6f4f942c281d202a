const { availableParallelism } = require('node:os');

/** @type {import('jest').Config} */
module.exports = {
	testEnvironment: '<rootDir>/test/support/environment.js',
	roots: ['<rootDir>/test', '<rootDir>/sandbox', '<rootDir>/tools'],
	testMatch: ['**/*.test.ts'],
	transform: {
		'^.+\\.ts$': ['@swc/jest', { jsc: { target: 'es2022', parser: { syntax: 'typescript' } } }],
	},
	setupFiles: ['<rootDir>/test/support/seed.js', '<rootDir>/test/support/sharedEngine.js'],
	testTimeout: 30_000,
	// Much of the time goes into waiting for answers, so two files at once pay on two cores as well.
	maxWorkers: Math.max(2, availableParallelism() - 1),
	// With --coverage the pure code is measured; the rest of the package runs in n8n's engine, as built.
	collectCoverageFrom: ['nodes/Cases/api/**/*.ts'],
	coverageProvider: 'v8',
	coverageReporters: ['text-summary'],
	coverageThreshold: { global: { lines: 98, branches: 95, functions: 98 } },
};
