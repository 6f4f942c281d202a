import type { INodeProperties } from 'n8n-workflow';

import { InvalidInput, quote } from '../api/failures/failure';
import { MAX_CASES_PER_PAGE, MAX_PAGE_SIZE } from '../api/types';
import { collectionField, readCollection, type Show } from './form';
import type { Parameters } from './parameters';
import { asRecord, parseSwitch, parseWhole } from './values';

/** An option that is a whole number: form, check and default come from its row. */
interface NumberOption {
	label: string;
	min: number;
	max: number;
	default: number;
	description: string;
}

const NUMBER_OPTIONS = {
	concurrency: {
		label: 'Concurrency',
		min: 1,
		max: 16,
		default: 8,
		description:
			'How many requests run at the same time, from 1 to 16. Lower it if you get error 429 (too many requests).',
	},
	maxRetries: {
		label: 'Max Retries',
		min: 0,
		max: 20,
		default: 4,
		description:
			'How many times to retry a request after a network error, 429 or 5xx. 0 turns retries off.',
	},
	timeout: {
		label: 'Timeout (Ms)',
		min: 1,
		max: 3_600_000,
		// Gateways give up after 60 to 100 s. Their answer says more than a timeout here.
		default: 120_000,
		description:
			'Maximum time for a request and its whole answer, in milliseconds. A slower request is stopped and retried.',
	},
	pageSize: {
		label: 'Page Size',
		min: 1,
		max: MAX_CASES_PER_PAGE,
		default: MAX_PAGE_SIZE,
		description:
			'How many cases to get with each request, from 1 to 500. More than 50 works only if the service allows it. Lower it if requests time out.',
	},
	limitWaitTime: {
		label: 'Limit Wait Time (Minutes)',
		min: 1,
		max: 525_600,
		default: 45,
		description:
			'After how many minutes to continue without an answer, up to a year. The node then passes on its input, and the buttons stay on the case. By default it waits without a limit.',
	},
	maxCases: {
		label: 'Max Cases per Poll',
		min: 1,
		max: 1_000_000,
		default: 2000,
		description: 'Maximum number of changed cases per poll. The rest follow at the next poll.',
	},
} satisfies Record<string, NumberOption>;

type NumberOptionName = keyof typeof NUMBER_OPTIONS;

/** The form of a number option. */
export function numberOption(name: NumberOptionName): INodeProperties {
	const { label, min, max, default: value, description } = NUMBER_OPTIONS[name];
	return {
		displayName: label,
		name,
		type: 'number',
		typeOptions: { minValue: min, maxValue: max },
		default: value,
		description,
	};
}

/**
 * Reads a number option from the Options collection; its default where it wasn't added.
 * @throws InvalidInput when it isn't a whole number in its range
 */
export function readNumberOption(options: unknown, name: NumberOptionName): number {
	const { label, min, max, default: value } = NUMBER_OPTIONS[name];
	// An expression without a value doesn't mean the default, which only the form shows.
	const given = asRecord(options);
	return parseWhole(name in given ? given[name] : value, label, min, max);
}

/** Options that are off until they are added, and on once they are. Each item may set its own. */
const SWITCHES = {
	/** Whether a list that lacks something is the output. */
	acceptIncomplete: {
		label: 'Accept Incomplete Lists',
		description:
			'Whether to return what the service returned, with a hint, if it says that there is more. If off, the node fails then.',
	},
	includeComments: {
		label: 'Include Comments',
		description:
			'Whether to return all comments of each case, in a field named comments. Takes at least one more request for each case.',
	},
	keepButtons: {
		label: 'Keep Buttons',
		description:
			'Whether the buttons stay on the case after the answer. Pressing them again then changes nothing.',
	},
	markTexts: {
		label: 'Mark Texts of the Case',
		description:
			'Whether to put what the case says into backticks and code blocks, so that a model can tell it from instructions. Always on in a tool of an agent.',
	},
	/** Whether to show the write without making it. */
	previewOnly: {
		label: 'Preview Only',
		description:
			'Whether to show what would change, without writing anything. Each item shows what is there before and after.',
	},
	/** Whether to leave a case alone that already is as wanted. */
	skipUnchanged: {
		label: 'Skip Unchanged',
		description:
			"Whether to read the cases first, and skip those that already have exactly these actions, in this order. Where the service doesn't return button texts, a case is always written if you enter one, and a text that you leave out is not noticed.",
	},
};

export type SwitchName = keyof typeof SWITCHES;

/** The form of a switch. */
export function switchOption(
	name: SwitchName,
	description = SWITCHES[name].description,
): INodeProperties {
	const { label } = SWITCHES[name];
	return { displayName: label, name, type: 'boolean', default: true, description };
}

/** Whether an input item turns a switch on. @throws InvalidInput naming the switch that is neither on nor off */
export function readSwitch({ parameter }: Parameters, item: number, name: SwitchName): boolean {
	const given = readCollection(parameter('options', item, {}), 'Options');
	return name in given && parseSwitch(given[name], SWITCHES[name].label);
}

/** How requests are sent: the options that every operation and the trigger have. */
export interface SendingOptions {
	/** Requests in flight at most. */
	concurrency: number;
	maxRetries: number;
	/** Longest time of a request with its whole answer, in ms. */
	timeout: number;
}

/** @throws InvalidInput naming the option that isn't in its range, and when all options are one expression */
export function readSendingOptions(value: unknown): SendingOptions {
	const options = readCollection(value, 'Options');
	return {
		concurrency: readNumberOption(options, 'concurrency'),
		maxRetries: readNumberOption(options, 'maxRetries'),
		timeout: readNumberOption(options, 'timeout'),
	};
}

/**
 * The Options collection, in alphabetical order: the options of every request, and those of one operation or of
 * the trigger.
 * @param show undefined for the trigger, which has no operations
 */
export function optionsField(
	show: Show | undefined,
	...further: INodeProperties[]
): INodeProperties {
	const sending = (['concurrency', 'maxRetries', 'timeout'] as const).map(numberOption);
	const texts = {
		displayName: 'Options',
		name: 'options',
		placeholder: 'Add Option',
		description: "Advanced settings. Most workflows don't need them.",
	};
	return collectionField(show, texts, [...sending, ...further]);
}

/**
 * Checks that the number options have one value for the whole run. They are read from the first input item, because
 * one run has one pace and one page size.
 * @param stored the Options as the workflow stores them: only an expression can differ between items
 * @throws InvalidInput naming the option that differs, and its values
 */
export function refuseDifferingOptions(
	stored: unknown,
	{ parameter }: Pick<Parameters, 'parameter'>,
	itemCount: number,
): void {
	for (const name of Object.keys(NUMBER_OPTIONS) as NumberOptionName[]) {
		const expression = asRecord(stored)[name];
		if (typeof expression !== 'string' || !expression.startsWith('=')) continue;
		const first = parameter(`options.${name}`, 0, undefined);
		for (let item = 1; item < itemCount; item++) {
			const value = parameter(`options.${name}`, item, undefined);
			if (value === first) continue;
			throw new InvalidInput(
				`'${NUMBER_OPTIONS[name].label}' must be the same for all input items`,
				`It is ${quote(first ?? '')} for the first item and ${quote(value ?? '')} for another. Enter one number, or an expression that doesn't depend on the item.`,
			);
		}
	}
}
