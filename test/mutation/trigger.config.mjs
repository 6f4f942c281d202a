import { base } from './base.mjs';

const settings = base('trigger', ['test/mutation/trigger.ts']);
settings.jest.config.setupFiles.push('<rootDir>/test/mutation/engineOfSources.js');
export default {
	...settings,
	mutate: ['nodes/Cases/trigger/changes/*.ts'],
};
