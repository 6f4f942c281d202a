import { fileURLToPath } from 'node:url';

const pathOf = (name) => fileURLToPath(new URL(name, import.meta.url));

/**
 * Settings that all parts share; see docs/decisions/mutation-survivors.md.
 *
 * @param {string} part name of the part; its results are kept under this name, so the next run tries only what has changed
 * @param {string[]} tests files with the tests
 * @param {{ sharesModules?: boolean; hasEngine?: boolean }} options whether large libraries are loaded once for all mutants,
 * false where one of them loads what is mutated; and whether tests run nodes in n8n's engine, made from the sources
 */
export const base = (part, tests, { sharesModules = true, hasEngine = false } = {}) => ({
	testRunner: 'jest',
	coverageAnalysis: 'perTest',
	jest: {
		configFile: 'jest.config.js',
		enableFindRelatedTests: false,
		config: {
			roots: ['<rootDir>/test'],
			testMatch: tests.map((file) => `<rootDir>/${file}`),
			setupFiles: [
				...(sharesModules ? ['<rootDir>/test/support/sharedModules.js'] : []),
				'<rootDir>/test/mutation/fewerRuns.js',
				...(hasEngine ? ['<rootDir>/test/mutation/engineOfSources.js'] : []),
			],
			testEnvironment: pathOf(sharesModules ? 'sharingEnvironment.js' : 'environment.js'),
			testTimeout: 5_000,
			maxWorkers: 1,
		},
	},
	concurrency: 2,
	timeoutMS: 10_000,
	timeoutFactor: 2,
	maxTestRunnerReuse: 400,
	incremental: true,
	incrementalFile: `reports/mutation/${part}.json`,
	reporters: ['clear-text', 'progress-append-only'],
	clearTextReporter: { allowColor: false, logTests: false, reportTests: false },
	ignorePatterns: ['/e2e', '/bench', '/demo', '/dev', '/coverage'],
	warnings: { slow: false },
});
