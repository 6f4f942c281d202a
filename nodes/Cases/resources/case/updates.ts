import type { INodeProperties } from 'n8n-workflow';

import { inTurn } from '../../api/actions/turns';
import { caseNotFound } from '../../api/caseNotFound';
import { readCasesById } from '../../api/cases';
import { MAX_PAGE_SIZE, type Case, type Row } from '../../api/types';
import { changeOf } from '../../api/writes/caseChanges';
import { updateCase, type CaseUpdate } from '../../api/writes/caseWrites';
import { caseLocatorField, readCaseId } from '../../fields/caseLocator';
import type { Show } from '../../fields/form';
import { optionsField } from '../../fields/options';
import { outputFields, readOutput, shapeCase, type Output } from '../../fields/output';
import { readWriteSwitches, switchOption } from '../../fields/writeSwitches';
import { noteObserved } from '../../n8n/hints';
import { checkItems, valueOf, type Operation, type Run } from '../../n8n/run';
import { listed, writeItems } from '../writeItems';

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

/**
 * Changes cases: several at a time, and those of one case one after another, in input order.
 * @param read what an item changes
 */
export const updating =
	(read: (run: Run, item: number) => CaseUpdate): Operation =>
	async (run) => {
		const { baseUrl } = run.client.tenant;
		const wanted = checkItems(
			run,
			(item): Wanted => ({
				caseId: readCaseId(run, item, baseUrl),
				update: read(run, item),
				output: readOutput(run, item),
				...readWriteSwitches(run, item),
			}),
		);
		const caseOf = readCasesToCompare(
			run,
			wanted.flatMap((one) => ('value' in one ? [one.value] : [])),
		);
		const checked = wanted.map((one) => {
			if ('failure' in one) return one;
			const { value } = one;
			const task = async (hasWaited: boolean) => [
				await carryOut(run, value, async () => await caseOf(value.caseId, hasWaited)),
			];
			return { value: async () => await inTurn(run.client, value.caseId, task) };
		});
		const idOf = (item: number) => valueOf(wanted[item]).caseId;
		return await writeItems(run, checked, (items) => listed('case', items.map(idOf)));
	};

/**
 * Reads the cases that are compared before they are written: fifty to a request, when the first of them is due.
 * @returns a function that returns a case; one that may have been written meanwhile is read again
 */
function readCasesToCompare({ client, notes }: Run, wanted: Wanted[]) {
	const compared = wanted.filter((one) => one.skipUnchanged || one.previewOnly);
	const ids = [...new Set(compared.map(({ caseId }) => caseId))];
	const batches = new Map<number, Promise<Map<string, Case>>>();
	const read = async (some: string[]) =>
		await readCasesById(client, some, MAX_PAGE_SIZE, (observed) =>
			noteObserved(notes, some.length, observed),
		);
	const returned = new Set<string>();
	return async (caseId: string, hasWaited: boolean): Promise<Case> => {
		const isOld = hasWaited || returned.has(caseId);
		returned.add(caseId);
		const start = Math.floor(ids.indexOf(caseId) / MAX_PAGE_SIZE) * MAX_PAGE_SIZE;
		const batch = isOld
			? read([caseId])
			: (batches.get(start) ?? read(ids.slice(start, start + MAX_PAGE_SIZE)));
		if (!isOld) batches.set(start, batch);
		const row = (await batch).get(caseId);
		if (row === undefined) throw caseNotFound(caseId);
		return row;
	};
}

/** Writes a case, skips it or shows what would change. @returns its output */
async function carryOut(
	run: Run,
	{ caseId, update, output, skipUnchanged, previewOnly }: Wanted,
	read: () => Promise<Case>,
): Promise<Row> {
	if (skipUnchanged || previewOnly) {
		const row = await read();
		const { before, after, changed } = changeOf(row, update);
		if (previewOnly) run.notes.previewedCases++;
		if (previewOnly) return { case_id: row.case_id, before, after, changed };
		if (!changed) return { ...shapeCase(row, output), changed };
	}
	return { ...shapeCase(await updateCase(run.client, caseId, update), output), changed: true };
}
