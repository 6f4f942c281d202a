import type { INodeProperties } from 'n8n-workflow';

import { caseNotFound } from '../../api/caseNotFound';
import { readCasesById } from '../../api/cases';
import { MAX_PAGE_SIZE, type Case, type Row } from '../../api/types';
import { changeOf } from '../../api/writes/caseChanges';
import { updateCase, type CaseUpdate } from '../../api/writes/caseWrites';
import { caseLocatorField, readCaseId } from '../../fields/caseLocator';
import { readUpdateSwitches, UPDATE_SWITCHES } from '../../fields/caseValues';
import type { Show } from '../../fields/form';
import { optionsField } from '../../fields/options';
import { outputFields, readOutput, shapeCase, type Output } from '../../fields/output';
import { noteObserved } from '../../n8n/hints';
import { checkItems, valueOf, type Operation, type Run } from '../../n8n/run';
import { listed, writeItems } from '../writeItems';

/** The form of an operation that changes cases. @param values what to change, where the user says it */
export function updateForm(
	show: Show,
	description: string,
	values: INodeProperties[] = [],
): INodeProperties[] {
	return [
		caseLocatorField(show, description),
		...values,
		...outputFields(show),
		optionsField(show, ...UPDATE_SWITCHES),
	];
}

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
export function updating(read: (run: Run, item: number) => CaseUpdate): Operation {
	return async (run) => {
		const { baseUrl } = run.client.tenant;
		const wanted = checkItems(
			run,
			(item): Wanted => ({
				caseId: readCaseId(run, item, baseUrl),
				update: read(run, item),
				output: readOutput(run, item),
				...readUpdateSwitches(run, item),
			}),
		);
		const valid = wanted.flatMap((one) => ('value' in one ? [one.value] : []));
		const caseOf = currentCases(run, valid);
		const checked = wanted.map((one, item) =>
			'failure' in one
				? one
				: {
						value: {
							item,
							key: one.value.caseId,
							write: async () => [await carryOut(run, one.value, caseOf)],
						},
					},
		);
		return await writeItems(run, checked, (items) =>
			listed(
				'case',
				items.map((item) => valueOf(wanted[item]).caseId),
			),
		);
	};
}

type CurrentCases = {
	now: (caseId: string) => Promise<Case>;
	wrote: (id: string, row: Case) => void;
};

/** The cases that are read before they are written, fifty to a request, each batch when its first case is due. */
function currentCases({ client, notes }: Run, wanted: Wanted[]): CurrentCases {
	const read = wanted.filter((one) => one.skipUnchanged || one.previewOnly);
	const ids = [...new Set(read.map(({ caseId }) => caseId))];
	const written = new Map<string, Case>();
	const batches = new Map<number, Promise<Map<string, Case>>>();
	return {
		wrote: (id, row) => written.set(id, row),
		now: async (caseId) => {
			const number = Math.floor(ids.indexOf(caseId) / MAX_PAGE_SIZE);
			const batch =
				batches.get(number) ??
				readCasesById(
					client,
					ids.slice(number * MAX_PAGE_SIZE, (number + 1) * MAX_PAGE_SIZE),
					MAX_PAGE_SIZE,
					(observed) => noteObserved(notes, MAX_PAGE_SIZE, observed),
				);
			batches.set(number, batch);
			const row = written.get(caseId) ?? (await batch).get(caseId);
			if (row === undefined) throw caseNotFound(caseId);
			return row;
		},
	};
}

/** Writes a case, skips it or shows what would change. @returns its output */
async function carryOut(
	run: Run,
	{ caseId, update, output, skipUnchanged, previewOnly }: Wanted,
	cases: CurrentCases,
): Promise<Row> {
	if (skipUnchanged || previewOnly) {
		const row = await cases.now(caseId);
		const { before, after, changed } = changeOf(row, update);
		if (previewOnly) {
			run.notes.previewedCases++;
			return { case_id: row.case_id, before, after, changed };
		}
		if (!changed) return { ...shapeCase(row, output), changed };
	}
	const row = await updateCase(run.client, caseId, update);
	cases.wrote(caseId, row);
	return { ...shapeCase(row, output), changed: true };
}
