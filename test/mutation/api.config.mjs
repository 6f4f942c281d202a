import { base } from './base.mjs';

export default {
	...base('api', ['test/mutation/api.ts']),
	mutate: [
		'nodes/Cases/api/**/*.ts',
		// The fields that parse values; the others are forms, which test/package/description.test.ts reads.
		'nodes/Cases/fields/{caseLocator,dates,output,values}.ts',
		'nodes/Cases/fields/filters/*.ts',
	],
};
