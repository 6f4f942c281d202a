import { base } from './base.mjs';

export default {
	...base('api', ['test/mutation/api.ts']),
	mutate: [
		'nodes/Cases/api/*.ts',
		'nodes/Cases/fields/{caseLocator,dates,filters,output,withinLast}.ts',
	],
};
