import { fileURLToPath } from 'node:url';

/**
 * The parts of the code that are mutated, each with its tests; see docs/decisions/mutation-survivors.md.
 *
 * `sharesModules`: whether large libraries are loaded once for all mutants; false where one of them loads what is mutated.
 * `hasEngine`: whether tests run nodes in n8n's engine, made from the sources.
 */
const PARTS = {
	api: {
		mutate: [
			'nodes/Cases/api/**/*.ts',
			'!nodes/Cases/api/{actions,writes}/*.ts',
			// The fields that parse values; see also `engine`. The others are forms.
			'nodes/Cases/fields/{caseLocator,dates,values}.ts',
		],
	},
	digest: { mutate: ['nodes/Cases/resources/case/digest/*.ts'], hasEngine: true },
	// What writes, filters and outputs: their tests run in n8n's engine.
	engine: {
		mutate: [
			'nodes/Cases/api/{actions,writes}/*.ts',
			'nodes/Cases/fields/output.ts',
			'nodes/Cases/fields/filters/*.ts',
		],
		hasEngine: true,
	},
	// The transport runs in n8n's engine, as built: the mutants are built into dist of the copy.
	transport: {
		tests: [
			'test/n8n/transport.test.ts',
			'test/n8n/refusedByN8n.test.ts',
			'test/robustness/secrets.test.ts',
		],
		mutate: ['nodes/Cases/n8n/transport.ts'],
		buildCommand: 'npm run build',
		sharesModules: false,
	},
	trigger: { mutate: ['nodes/Cases/trigger/changes/*.ts'], hasEngine: true },
};

const part = process.env.PART;
if (!(part in PARTS)) throw new Error(`Set PART to one of ${Object.keys(PARTS).join(', ')}`);

const {
	tests = [`test/mutation/${part}.ts`],
	sharesModules = true,
	hasEngine = false,
	...settings
} = PARTS[part];

const pathOf = (name) => fileURLToPath(new URL(name, import.meta.url));

export default {
	...settings,
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
	// The next run tries only what has changed.
	incrementalFile: `reports/mutation/${part}.json`,
	reporters: ['clear-text', 'progress-append-only'],
	clearTextReporter: { allowColor: false, logTests: false, reportTests: false },
	ignorePatterns: ['/e2e', '/bench', '/tools/demo', '/tools/dev', '/coverage'],
	warnings: { slow: false },
};
