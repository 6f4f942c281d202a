import { base } from './base.mjs';

export default {
	...base('api', ['test/mutation/api.ts']),
	mutate: [
		'nodes/Cases/api/**/*.ts',
		'!nodes/Cases/api/{actions,writes}/*.ts',
		// The fields that parse values; see also engine.config.mjs. The others are forms.
		'nodes/Cases/fields/{caseLocator,dates,values}.ts',
	],
};
