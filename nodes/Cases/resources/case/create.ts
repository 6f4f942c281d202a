import { createCase } from '../../api/writes/caseWrites';
import { creationFields, readCreation } from '../../fields/caseValues';
import { optionsField } from '../../fields/options';
import { outputFields, readOutput, shapeCase } from '../../fields/output';
import { checkItems, type Operation } from '../../n8n/run';
import { listed, writeItems } from '../writeItems';

const show = { resource: ['case'], operation: ['create'] };

export const fields = [...creationFields(show), ...outputFields(show), optionsField(show)];

export const execute: Operation = async (run) => {
	const created = new Map<number, unknown>();
	const checked = checkItems(run, (item) => {
		const creation = readCreation(run, item);
		const output = readOutput(run, item);
		return async () => {
			const row = await createCase(run.client, creation);
			created.set(item, row.case_id);
			return [{ ...shapeCase(row, output), changed: true }];
		};
	});
	const nameOf = (item: number) =>
		created.has(item) ? `${item} (case ${String(created.get(item))})` : String(item);
	return await writeItems(run, checked, (items) => listed('item', items.map(nameOf)));
};
