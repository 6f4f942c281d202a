import { base } from './base.mjs';

// What writes, filters and outputs: their tests run in n8n's engine, whose node has the sources here, which hold the
// mutants. The rest of the package is loaded as built.
const settings = base('engine', ['test/mutation/engine.ts']);
settings.jest.config.setupFiles.push('<rootDir>/test/mutation/engineOfSources.js');
export default {
	...settings,
	mutate: [
		'nodes/Cases/api/{actions,writes}/*.ts',
		'nodes/Cases/fields/output.ts',
		'nodes/Cases/fields/filters/*.ts',
	],
};
