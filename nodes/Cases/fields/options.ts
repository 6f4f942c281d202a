import type { INodeProperties } from 'n8n-workflow';

import { MAX_CASES_PER_PAGE, MAX_PAGE_SIZE, type Row } from '../api/types';
import {
	collectionForm,
	readCollection,
	readEach,
	type Field,
	type Parameters,
	type ValuesOf,
} from './form';
import { parseSwitch, parseWhole } from './values';

// Options of several operations are here. An option of one operation is in the file of that operation.

/** An entry of the collection Options. */
export interface Option<T> {
	form: INodeProperties;
	/** @param added the entries that were added. @throws InvalidInput */
	read: (added: Row, parameters: Parameters, item: number) => T;
}

/** An option with a whole number, which is read from the added entries alone. One that isn't added has its default. */
export function numberOption(
	name: string,
	displayName: string,
	[minValue, maxValue]: [min: number, max?: number],
	fallback: number,
	description: string,
): { form: INodeProperties; read: (added: Row) => number } {
	const typeOptions = { minValue, maxValue };
	return {
		form: { displayName, name, type: 'number', typeOptions, default: fallback, description },
		// An option that was added, but whose expression returns no value, is an error: it doesn't get the default.
		read: (added) =>
			parseWhole(name in added ? added[name] : fallback, displayName, minValue, maxValue),
	};
}

/** The same option, but undefined where it isn't added. */
export const ifAdded = <T>({ form, read }: Option<T>): Option<T | undefined> => ({
	form,
	read: (added, ...given) => (form.name in added ? read(added, ...given) : undefined),
});

/** A switch. One that isn't added is off. One that the user adds starts as on. */
export const switchOption = (
	name: string,
	displayName: string,
	description: string,
): Option<boolean> => ({
	form: { displayName, name, type: 'boolean', default: true, description },
	read: (added) => name in added && parseSwitch(added[name], displayName),
});

export const PAGE_SIZE = numberOption(
	'pageSize',
	'Page Size',
	[1, MAX_CASES_PER_PAGE],
	MAX_PAGE_SIZE,
	'How many cases to get with each request, from 1 to 500. More than 50 works only if the service allows it. Lower it if requests time out.',
);

export const ACCEPT_INCOMPLETE = switchOption(
	'acceptIncomplete',
	'Accept Incomplete Lists',
	'Whether to return a list, with a hint, even if the service says that there is more. If off, the node fails.',
);

export const PREVIEW_ONLY = switchOption(
	'previewOnly',
	'Preview Only',
	'Whether to show what would change, without writing anything. Each item shows what is there before and after.',
);

export const skipUnchanged = (description: string) =>
	switchOption('skipUnchanged', 'Skip Unchanged', description);

const SENDING = {
	concurrency: numberOption(
		'concurrency',
		'Concurrency',
		[1, 16],
		8,
		'How many requests run at the same time, from 1 to 16. Lower it if you get error 429 (too many requests).',
	),
	maxRetries: numberOption(
		'maxRetries',
		'Max Retries',
		[0, 20],
		4,
		'How many times to retry a request after a network error or 5xx. 0 turns off all retries, also those after a rate limit (429).',
	),
	timeout: numberOption(
		'timeout',
		'Timeout (Ms)',
		[1, 3_600_000],
		// The default is longer than the 60 to 100 s after which gateways give up: their answer says more than a timeout here.
		120_000,
		'Maximum time for a request and its whole answer, in milliseconds. A slower request is stopped and retried.',
	),
};

/** Options that say how requests are sent; the timeout is in ms. */
export type SendingOptions = Record<keyof typeof SENDING, number>;

/** How requests are sent where somebody waits for them: the editor, or n8n while it starts. */
export const QUICK_SENDING = { concurrency: 8, maxRetries: 2, timeout: 10_000, maxWaitMs: 10_000 };

/** @throws InvalidInput for a value outside its range, or where one expression stands for the whole collection */
export const readSendingOptions = (value: unknown): SendingOptions =>
	readEach(SENDING, readCollection(value, 'Options'));

type Options = Record<string, Option<unknown>>;

/** The collection Options with the given options only, for operations that send few requests. */
export const ownOptions = <O extends Options>(options: O): Field<ValuesOf<O>> => ({
	form: [
		collectionForm(
			{
				displayName: 'Options',
				name: 'options',
				placeholder: 'Add Option',
				description: "Advanced settings. Most workflows don't need them.",
			},
			Object.values(options).map(({ form }) => form),
		),
	],
	read: (from, item) => {
		const given = readCollection(from.parameter('options', item, {}), 'Options');
		return readEach(options, given, from, item);
	},
});

/** The collection Options: how requests are sent, which a whole run shares, and further options, which are read. */
export const optionsField = <O extends Options>(options: O): Field<ValuesOf<O>> => ({
	...ownOptions(options),
	form: ownOptions({ ...SENDING, ...options }).form,
});
