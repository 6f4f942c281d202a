import { fileURLToPath } from 'node:url';

const testEnvironment = fileURLToPath(new URL('environment.js', import.meta.url));

/**
 * Settings that all parts share; see "Mutation testing" in CONTRIBUTING.
 *
 * @param {string} part name of the part; its results are kept under this name, so the next run tries only what has changed
 * @param {string[]} tests files with the tests
 */
export const base = (part, tests) => ({
	testRunner: 'jest',
	coverageAnalysis: 'perTest',
	jest: {
		configFile: 'jest.config.js',
		enableFindRelatedTests: false,
		config: {
			testMatch: tests.map((file) => `<rootDir>/${file}`),
			setupFiles: ['<rootDir>/test/mutation/fewerRuns.js'],
			testEnvironment,
			testTimeout: 10_000,
			maxWorkers: 1,
		},
	},
	concurrency: 2,
	timeoutMS: 10_000,
	timeoutFactor: 3,
	maxTestRunnerReuse: 150,
	incremental: true,
	incrementalFile: `reports/mutation/${part}.json`,
	reporters: ['clear-text', 'progress-append-only'],
	clearTextReporter: { allowColor: false, logTests: false, reportTests: false },
	ignorePatterns: ['/dist', '/e2e', '/bench', '/docs', '/examples', '/demo', '/dev', '/coverage'],
	warnings: { slow: false },
});
