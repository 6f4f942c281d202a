import type { INodeProperties } from 'n8n-workflow';

import type { CaseFilters } from '../api/caseQuery';
import { InvalidInput, quote } from '../api/failure';
import type { QueryValue } from '../api/query';
import { PRIORITIES, STATUSES } from '../api/types';
import {
	caseIds,
	choice,
	date,
	pairs,
	suggested,
	team,
	text,
	texts,
	toggle,
	type FilterKind,
} from './filterKinds';
import { alphabetically, type Show } from './form';
import type { Parameters } from './parameters';
import { asRecord } from './values';

const UNCLEAR_DATE = 'Which date of a case the service compares is not documented.';
const UNCLEAR_END =
	'Without an end, the service takes today as the end, which may leave out what happened today.';

const tags = (description: string) => suggested('getTags', 'tag names', description);
const emails = (description: string) => suggested('getUserEmails', 'email addresses', description);

/** All filters of the case list, by the API's own names: label in the editor, form and reading. */
export const FILTERS = {
	and_tags: { label: 'All of These Tags', ...tags('Cases that have all of these tags') },
	tags: {
		label: 'Tags',
		...tags('Cases that have all of these tags; the same as All of These Tags'),
	},
	or_tags: { label: 'Any of These Tags', ...tags('Cases that have at least one of these tags') },
	excluded_tags: { label: 'None of These Tags', ...tags('Cases that have none of these tags') },
	assigned_to_me: {
		label: 'Assigned to Me',
		...toggle(
			'Whether to get only cases assigned to the user of the API key. Remove the filter to get the others too.',
		),
	},
	unassigned: {
		label: 'Unassigned',
		...toggle(
			'Whether to get only cases assigned to nobody. Remove the filter to get the others too.',
		),
	},
	assignees: {
		label: 'Assignees',
		...suggested('getUserIds', 'user IDs', 'Cases assigned to any of these users'),
	},
	assignee_emails: {
		label: 'Assignee Emails',
		...emails('Cases assigned to any user with one of these email addresses'),
	},
	author_emails: {
		label: 'Author Emails',
		...emails('Cases created by a user with one of these email addresses'),
	},
	case_ids: {
		label: 'Case IDs',
		...caseIds(
			'e.g. 4711, 4712',
			'Cases with these IDs, separated by commas, or a list of IDs by expression. Blank text is no filter, an empty list matches no case. Any number of IDs works.',
		),
	},
	metadata: {
		label: 'Metadata',
		...pairs(
			{ placeholder: 'e.g. source', description: 'Name of the metadata entry' },
			{ placeholder: 'e.g. mail-gateway', description: 'Value that the entry must have' },
			'Cases whose metadata has all of these pairs',
		),
	},
	priority: {
		label: 'Priority',
		...choice(
			PRIORITIES,
			[
				{ name: 'Critical', value: 'CRITICAL' },
				{ name: 'High', value: 'HIGH' },
				{ name: 'Info', value: 'INFO' },
				{ name: 'Low', value: 'LOW' },
				{ name: 'Medium', value: 'MEDIUM' },
			],
			'Cases of this priority',
		),
	},
	status: {
		label: 'Status',
		...choice(
			STATUSES,
			[
				{ name: 'Open', value: 'OPEN' },
				{ name: 'Closed', value: 'CLOSED' },
			],
			'Cases in this state',
		),
	},
	records: {
		label: 'Records',
		...texts('Add Record', 'e.g. 203.0.113.7', 'Cases that have records with these values'),
	},
	search: {
		label: 'Search',
		...text('e.g. phishing', 'Cases whose name, description or ID matches this text'),
	},
	start_date: {
		label: 'Start Date',
		...date(`Cases from this time on. ${UNCLEAR_DATE} ${UNCLEAR_END}`),
	},
	end_date: { label: 'End Date', ...date(`Cases up to this time. ${UNCLEAR_DATE}`) },
	resolved_at_start_date: {
		label: 'Resolved From',
		...date(`Cases resolved at this time or later. ${UNCLEAR_END}`),
	},
	resolved_at_end_date: {
		label: 'Resolved Until',
		...date('Cases resolved at this time or earlier.'),
	},
	updated_at_start_date: {
		label: 'Updated From',
		...date(`Cases updated at this time or later. ${UNCLEAR_END}`),
	},
	updated_at_end_date: {
		label: 'Updated Until',
		...date('Cases updated at this time or earlier.'),
	},
	team_id: { label: 'Team', ...team('Cases of this team') },
} satisfies Record<string, FilterKind & { label: string }>;

export type FilterName = keyof typeof FILTERS;

type FilterValues = { [Name in FilterName]?: ReturnType<(typeof FILTERS)[Name]['read']> };

/** The date filters that are the two ends of one range. */
export const DATE_RANGES = {
	start_date: ['start_date', 'end_date'],
	resolved_at: ['resolved_at_start_date', 'resolved_at_end_date'],
	updated_at: ['updated_at_start_date', 'updated_at_end_date'],
} as const satisfies Record<string, [start: FilterName, end: FilterName]>;

export const labelOf = (name: FilterName): string => FILTERS[name].label;

/**
 * The Filters collection, in alphabetical order of the labels.
 * @param without filters that the place can't use
 */
export function filtersField(show: Show | undefined, without: FilterName[] = []): INodeProperties {
	const fields = (Object.keys(FILTERS) as FilterName[])
		.filter((name) => !without.includes(name))
		.map((name) => ({ displayName: labelOf(name), name, ...FILTERS[name].form }));
	return {
		displayName: 'Filters',
		name: 'filters',
		type: 'collection',
		placeholder: 'Add Filter',
		default: {},
		...(show === undefined ? {} : { displayOptions: { show } }),
		description:
			'Only cases that meet all of these filters. Without any, every case that the key can see.',
		options: alphabetically(fields),
	};
}

/**
 * Reads a value of the Filters collection. Blank filters are left out.
 * @param given as the editor or an expression returns it, by the API's filter names
 * @param timezone of the workflow, for dates without a zone
 * @throws InvalidInput naming the filter that can't be used
 */
export function parseFilters(given: Record<string, unknown>, timezone: string): CaseFilters {
	const values: Record<string, QueryValue> = {};
	for (const [name, value] of Object.entries(given)) {
		if (!Object.hasOwn(FILTERS, name)) {
			throw new InvalidInput(
				`There is no filter ${quote(name)}`,
				`The filters are: ${Object.keys(FILTERS)
					.join(', ')
					.replace(/, (\w+)$/, ' and $1')}.`,
			);
		}
		const { label, read } = FILTERS[name as FilterName] as FilterKind & { label: string };
		const parsed = read(value, label, timezone);
		if (parsed !== undefined) values[name] = parsed;
	}
	refuseEmptyRanges(values);
	const { case_ids, team_id, ...filters } = values as FilterValues;
	return { filters, caseIds: case_ids, teamId: team_id };
}

/** Timestamps of one format compare like the times that they stand for. */
function refuseEmptyRanges(values: FilterValues): void {
	for (const [start, end] of Object.values(DATE_RANGES)) {
		const [from, until] = [values[start], values[end]];
		if (from !== undefined && until !== undefined && from > until) {
			throw new InvalidInput(
				`${labelOf(start)} is later than ${labelOf(end)}`,
				'No case can match. Exchange the two dates, or remove one.',
			);
		}
	}
}

/** The Filters of an input item. @throws InvalidInput naming the filter that can't be used */
export function readFilters({ parameter, timezone }: Parameters, item: number): CaseFilters {
	return parseFilters(asRecord(parameter('filters', item, {})), timezone);
}
