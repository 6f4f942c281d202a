import type { INodeProperties } from 'n8n-workflow';

import type { Case, Row } from '../../api/types';
import { changeOf } from '../../api/writes/caseChanges';
import { updateCase, type CaseUpdate } from '../../api/writes/caseWrites';
import { caseLocatorField, readCaseId } from '../../fields/caseLocator';
import type { Show } from '../../fields/form';
import { optionsField } from '../../fields/options';
import { outputFields, readOutput, shapeCase, type Output } from '../../fields/output';
import { readWriteSwitches, switchOption } from '../../fields/writeSwitches';
import { checkItems, type Operation, type Run } from '../../n8n/run';
import { writeItems, type Write } from '../writeItems';

const SKIP_UNCHANGED: INodeProperties = {
	...switchOption('skipUnchanged'),
	description:
		'Whether to read the cases first, fifty to a request, and leave alone those that already are as wanted',
};
const PREVIEW_ONLY: INodeProperties = {
	...switchOption('previewOnly'),
	description:
		'Whether to show what would change, without writing anything. Each item shows the fields before and after.',
};

/** The form of an operation that changes cases. @param values what to change, where the user says it */
export const updateForm = (show: Show, description: string, ...values: INodeProperties[]) => [
	caseLocatorField(show, description),
	...values,
	...outputFields(show),
	optionsField(show, SKIP_UNCHANGED, PREVIEW_ONLY),
];

/** What one item wants of its case. */
interface Wanted {
	caseId: string;
	update: CaseUpdate;
	output: Output;
	skipUnchanged: boolean;
	previewOnly: boolean;
}

/** Changes cases. @param read what an item changes */
export const updating =
	(read: (run: Run, item: number) => CaseUpdate): Operation =>
	async (run) => {
		const checked = checkItems(run, (item): Write => {
			const wanted: Wanted = {
				caseId: readCaseId(run, item, run.client.tenant.baseUrl),
				update: read(run, item),
				output: readOutput(run, item),
				...readWriteSwitches(run, item),
			};
			return {
				caseId: wanted.caseId,
				isRead: wanted.skipUnchanged || wanted.previewOnly,
				carryOut: async (readCase) => await carryOut(run, wanted, readCase),
			};
		});
		return await writeItems(run, checked);
	};

/** Writes a case, skips it or shows what would change. @returns its output */
async function carryOut(
	run: Run,
	{ caseId, update, output, skipUnchanged, previewOnly }: Wanted,
	read: () => Promise<Case>,
): Promise<Row> {
	if (skipUnchanged || previewOnly) {
		const row = await read();
		const { before, after, changed } = changeOf(row, update);
		if (previewOnly) return { case_id: row.case_id, before, after, changed };
		if (!changed) return { ...shapeCase(row, output), changed };
	}
	return { ...shapeCase(await updateCase(run.client, caseId, update), output), changed: true };
}
