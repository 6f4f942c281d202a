import type { INodeProperties } from 'n8n-workflow';

import type { Client } from '../api/http/client';
import type { Case, Row } from '../api/types';
import { readEach, type Field, type ValuesOf } from '../fields/form';
import { optionsField } from '../fields/options';
import { asRecord } from '../fields/values';
import {
	checkItems,
	forEachItem,
	valueOf,
	type Checked,
	type Operation,
	type Result,
	type Run,
} from '../n8n/run';
import { readCasesOfItems } from './casesOfItems';
import { fitAnswer } from './fitting';
import { writeItems, type Write } from './writeItems';

/** The texts of an operation. */
export interface Texts {
	/** Its name in the list of operations. */
	name: string;
	/** Its name in n8n's list of the actions of all nodes, in a tool of an agent, and in the subtitle of the node. */
	action: string;
	description: string;
}

/** An operation: how it is called, its form, and what it does. */
export interface Definition extends Texts {
	/** Without the resource and the operation that a field shows for, which the table of operations adds. */
	form: INodeProperties[];
	execute: Operation;
}

/** The fields of an operation, in the order of the form. Without `options`, it has the options that all operations have. */
type Fields = Record<string, Field<unknown, Run>>;
type FieldsOfCase = Fields & { caseId: Field<string, Run> };

interface Given<F extends Fields> extends Texts {
	fields: F;
}

/**
 * Defines an operation of any kind.
 * @param work gets what the fields of each input item say. All items are read before any request.
 */
export const define = <F extends Fields>(
	{ name, action, description, fields }: Given<F>,
	work: (run: Run, items: Array<Checked<ValuesOf<F>>>) => Promise<Result[]>,
): Definition => ({
	...{ name, action, description },
	form: Object.values({ ...fields, options: fields.options ?? optionsField({}) }).flatMap(
		({ form }) => form,
	),
	execute: async (run) =>
		await work(
			run,
			checkItems(run, (item) => readEach(fields, run, item)),
		),
});

/** Reads rows for each item. Items with equal values share a read, so a value must be what JSON can hold. */
const rowsOfItems = async <Values>(
	run: Run,
	items: Array<Checked<Values>>,
	read: (values: Values) => Promise<Row[]>,
): Promise<Result[]> => {
	const results = await forEachItem(run, async (item) => {
		const values = valueOf(items[item]);
		return await run.readShared(values, async () => await read(values));
	});
	const isMeantLong = items.some((one) => {
		const { fullTexts, maxLength } = asRecord('value' in one && asRecord(one.value).options);
		return fullTexts === true || maxLength !== undefined;
	});
	return run.isTool && !isMeantLong ? fitAnswer(run, results) : results;
};

/** Defines an operation that reads. */
export const reading = <F extends Fields>(
	given: Given<F> & { rows: (run: Run, values: ValuesOf<F>) => Promise<Row[]> },
): Definition =>
	define(
		given,
		async (run, items) =>
			await rowsOfItems(run, items, async (values) => await given.rows(run, values)),
	);

/** Defines one that reads what cases themselves have. Before, the cases of all items are read, fifty at a time. */
export const readingCases = <F extends FieldsOfCase>(
	given: Given<F> & { rows: (run: Run, values: ValuesOf<F>, row: Case) => Promise<Row[]> },
): Definition =>
	define(given, async (run, items) => {
		const caseOf = await readCasesOfItems(run, items);
		return await rowsOfItems(
			run,
			items,
			async (values) => await given.rows(run, values, caseOf(values.caseId)),
		);
	});

/** Returns the write of an item. */
type Planned<Values> = (values: Values, item: number) => Write;

/** Defines one that writes. `plan` is called once in a run, and may read. All writes are planned before the first is carried out. */
export const writing = <F extends Fields>(
	given: Given<F> & {
		plan: (
			run: Run,
			items: Array<Checked<ValuesOf<F>>>,
		) => Planned<ValuesOf<F>> | Promise<Planned<ValuesOf<F>>>;
	},
): Definition =>
	define(given, async (run, items) => {
		const writeOf = await given.plan(run, items);
		return await writeItems(
			run,
			checkItems(run, (item) => writeOf(valueOf(items[item]), item)),
		);
	});

/** Defines one that writes to a case with each item, whatever the others say. @param write returns the row of the output */
export const writingToCase = <F extends FieldsOfCase>(
	given: Given<F> & { write: (client: Client, values: ValuesOf<F>) => Promise<Row> },
): Definition =>
	writing({
		...given,
		plan:
			({ client }) =>
			(values) => ({
				caseId: values.caseId,
				carryOut: async () => ({ row: await given.write(client, values), outcome: 'Written' }),
			}),
	});
