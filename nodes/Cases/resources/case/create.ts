import { createCase } from '../../api/writes/caseWrites';
import { creationFields, readCreation } from '../../fields/caseValues';
import { optionsField } from '../../fields/options';
import { outputFields, readOutput, shapeCase } from '../../fields/output';
import { checkItems, type Operation } from '../../n8n/run';
import { writeItems, type Done, type Write } from '../writeItems';

const show = { resource: ['case'], operation: ['create'] };

export const fields = [...creationFields(show), ...outputFields(show), optionsField(show)];

export const execute: Operation = async (run) => {
	const checked = checkItems(run, (item): Write => {
		const creation = readCreation(run, item);
		const output = readOutput(run, item);
		const carryOut = async (): Promise<Done> => {
			const row = shapeCase(await createCase(run.client, creation), output);
			return { row: { ...row, changed: true }, outcome: 'Written' };
		};
		return { carryOut };
	});
	return await writeItems(run, checked);
};
