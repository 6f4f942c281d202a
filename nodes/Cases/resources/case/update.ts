import type { INodeProperties } from 'n8n-workflow';

import { changeOf } from '../../api/writes/caseChanges';
import { updateCase, type CaseUpdate } from '../../api/writes/caseWrites';
import { caseLocatorField, readCaseId } from '../../fields/caseLocator';
import { readUpdate, updateFields } from '../../fields/caseValues';
import type { Show } from '../../fields/form';
import { optionsField, switchOption } from '../../fields/options';
import { outputFields, readOutput, shapeCase } from '../../fields/output';
import { readWriteSwitches } from '../../fields/writeSwitches';
import { checkItems, type Operation, type Run } from '../../n8n/run';
import { writeItems, type Write } from '../writeItems';

/** @param values the fields for what to change; none for Close and Reopen */
const updateForm = (show: Show, description: string, ...values: INodeProperties[]) => [
	caseLocatorField(show, description),
	...values,
	...outputFields(show),
	optionsField(
		show,
		switchOption('previewOnly'),
		switchOption(
			'skipUnchanged',
			'Whether to read the cases first, fifty per request, and skip those that need no change',
		),
	),
];

/** Makes an operation that updates cases. @param read returns what an input item changes */
const updating =
	(read: (run: Run, item: number) => CaseUpdate): Operation =>
	async (run) => {
		const { client } = run;
		const checked = checkItems(run, (item): Write => {
			const caseId = readCaseId(run, item, client.tenant.baseUrl);
			const update = read(run, item);
			const output = readOutput(run, item);
			const { skipUnchanged, previewOnly } = readWriteSwitches(run, item);
			const isRead = skipUnchanged || previewOnly;
			const carryOut: Write['carryOut'] = async (readCase) => {
				if (isRead) {
					const row = await readCase();
					const change = changeOf(row, update);
					if (previewOnly) {
						return { row: { case_id: row.case_id, ...change }, outcome: 'Preview' };
					}
					if (!change.changed) {
						return { row: { ...shapeCase(row, output), changed: false }, outcome: 'Unchanged' };
					}
				}
				const row = shapeCase(await updateCase(client, caseId, update), output);
				return { row: { ...row, changed: true }, outcome: 'Written' };
			};
			return { caseId, isRead, carryOut };
		});
		return await writeItems(run, checked);
	};

const showOf = (operation: string): Show => ({ resource: ['case'], operation: [operation] });

export const update = {
	fields: updateForm(showOf('update'), 'The case to update', updateFields(showOf('update'))),
	execute: updating(readUpdate),
};

export const close = {
	fields: updateForm(showOf('close'), 'The case to close'),
	execute: updating(() => ({ status: 'closed' })),
};

export const reopen = {
	fields: updateForm(showOf('reopen'), 'The case to reopen'),
	execute: updating(() => ({ status: 'open' })),
};
