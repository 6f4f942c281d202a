import { caseField } from '../../fields/caseLocator';
import { optionsField } from '../../fields/options';
import { CASE_OUTPUT } from '../../fields/output';
import { readingCases } from '../define';
import { completeCases, WANTED } from './shape';

export const get = readingCases({
	name: 'Get',
	action: 'Get case',
	description: 'Get one case, chosen from a list, by ID or by URL',
	fields: {
		caseId: caseField('The case to get'),
		output: CASE_OUTPUT,
		options: optionsField(WANTED),
	},
	rows: async (run, { output, options }, row) =>
		await completeCases(run, [row], { output, ...options }),
});
