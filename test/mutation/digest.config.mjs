import { base } from './base.mjs';

export default {
	...base('digest', ['test/mutation/digest.ts'], { hasEngine: true }),
	mutate: ['nodes/Cases/resources/case/digest/*.ts'],
};
