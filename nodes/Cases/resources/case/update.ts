import { changeOf } from '../../api/writes/caseChanges';
import { updateCase, type CaseUpdate } from '../../api/writes/caseWrites';
import { caseField } from '../../fields/caseLocator';
import { UPDATE_FIELDS } from '../../fields/caseValues';
import type { Field } from '../../fields/form';
import { optionsField, PREVIEW_ONLY, skipUnchanged } from '../../fields/options';
import { CASE_OUTPUT, shapeCase } from '../../fields/output';
import { writing, type Texts } from '../define';
import type { Write } from '../writeItems';

/** Defines an operation that updates cases. @param change what it changes */
const updating = (texts: Texts, description: string, change: Field<CaseUpdate>) =>
	writing({
		...texts,
		fields: {
			caseId: caseField(description),
			update: change,
			output: CASE_OUTPUT,
			options: optionsField({
				previewOnly: PREVIEW_ONLY,
				skipUnchanged: skipUnchanged(
					'Whether to read the cases first, fifty per request, and skip those that need no change',
				),
			}),
		},
		plan:
			({ client }) =>
			({ caseId, update: given, output, options: { previewOnly, skipUnchanged: isSkipped } }) => {
				const isRead = isSkipped || previewOnly;
				const carryOut: Write['carryOut'] = async (readCase) => {
					if (isRead) {
						const row = await readCase();
						const { changed, ...values } = changeOf(row, given);
						if (previewOnly) {
							return { row: { case_id: row.case_id, ...values, changed }, outcome: 'Preview' };
						}
						if (!changed) {
							return { row: { ...shapeCase(row, output), changed }, outcome: 'Unchanged' };
						}
					}
					const row = shapeCase(await updateCase(client, caseId, given), output);
					return { row: { ...row, changed: true }, outcome: 'Written' };
				};
				return { caseId, isRead, carryOut };
			},
	});

export const update = updating(
	{
		name: 'Update',
		action: 'Update case',
		description:
			'Change fields, assignees or tags of a case. Only the fields that are given are overwritten.',
	},
	'The case to update',
	UPDATE_FIELDS,
);

export const close = updating(
	{
		name: 'Close',
		action: 'Close case',
		description: 'Close a case. The service refuses until its closure conditions are met.',
	},
	'The case to close',
	{ form: [], read: () => ({ status: 'closed' }) },
);

export const reopen = updating(
	{ name: 'Reopen', action: 'Reopen case', description: 'Open a closed case again' },
	'The case to reopen',
	{ form: [], read: () => ({ status: 'open' }) },
);
