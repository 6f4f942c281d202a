import type { INodeProperties } from 'n8n-workflow';

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
		const cases = new CasesToCompare(
			run,
			wanted.flatMap((one) => ('value' in one ? [one.value] : [])),
		);
		const checked = wanted.map((one, item) => {
			if ('failure' in one) return one;
			const write = async () => [await carryOut(run, one.value, cases)];
			return { value: { item, key: one.value.caseId, write } };
		});
		const idOf = (item: number) => valueOf(wanted[item]).caseId;
		return await writeItems(run, checked, (items) => listed('case', items.map(idOf)));
	};

/** The cases that are compared before they are written: fifty to a request, when the first of them is due. */
class CasesToCompare {
	private readonly ids: string[];
	private readonly batches = new Map<number, Promise<Map<string, Case>>>();
	/** Cases as they are after a write, for the next item that is about them. */
	readonly written = new Map<string, Case>();

	constructor(
		private readonly run: Run,
		wanted: Wanted[],
	) {
		const compared = wanted.filter((one) => one.skipUnchanged || one.previewOnly);
		this.ids = [...new Set(compared.map(({ caseId }) => caseId))];
	}

	/** @throws ApiFailure where the case isn't found or the read fails */
	async read(caseId: string): Promise<Case> {
		const start = Math.floor(this.ids.indexOf(caseId) / MAX_PAGE_SIZE) * MAX_PAGE_SIZE;
		const { client, notes } = this.run;
		const ids = this.ids.slice(start, start + MAX_PAGE_SIZE);
		const batch =
			this.batches.get(start) ??
			readCasesById(client, ids, MAX_PAGE_SIZE, (observed) =>
				noteObserved(notes, ids.length, observed),
			);
		this.batches.set(start, batch);
		const row = this.written.get(caseId) ?? (await batch).get(caseId);
		if (row === undefined) throw caseNotFound(caseId);
		return row;
	}
}

/** Writes a case, skips it or shows what would change. @returns its output */
async function carryOut(
	run: Run,
	{ caseId, update, output, skipUnchanged, previewOnly }: Wanted,
	cases: CasesToCompare,
): Promise<Row> {
	if (skipUnchanged || previewOnly) {
		const row = await cases.read(caseId);
		const { before, after, changed } = changeOf(row, update);
		if (previewOnly) run.notes.previewedCases++;
		if (previewOnly) return { case_id: row.case_id, before, after, changed };
		if (!changed) return { ...shapeCase(row, output), changed };
	}
	const row = await updateCase(run.client, caseId, update);
	cases.written.set(caseId, row);
	return { ...shapeCase(row, output), changed: true };
}
