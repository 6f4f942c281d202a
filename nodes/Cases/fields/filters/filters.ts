// Law of this folder: a filter is one row of the table below; its kind decides form and reading.

import type { INodeProperties } from 'n8n-workflow';

import type { CaseFilters } from '../../api/cases/caseQuery';
import { InvalidInput, quote } from '../../api/failures/failure';
import type { QueryValue } from '../../api/http/query';
import { FAR_FUTURE } from '../../api/timestamps';
import { PRIORITIES, STATUSES } from '../../api/types';
import {
	caseIds,
	choice,
	choices,
	date,
	emails,
	pairs,
	period,
	tags,
	team,
	text,
	texts,
	toggle,
	userIds,
	type FilterKind,
} from './filterKinds';
import { collectionField, readLimits, type Parameters, type Show } from '../form';
import { OTHER_FILTERS, parseOtherFilters } from './otherFilters';

const inPeriod = (verb: string) =>
	`Cases that were ${verb} in this period, which ends when the node runs`;
const UNCLEAR = "The API doesn't say which date this compares";
const metadata = pairs(
	{ placeholder: 'e.g. source', description: 'Name of the metadata entry' },
	{ placeholder: 'e.g. mail-gateway', description: 'Value of the metadata entry' },
);

type Filter = [label: string, kind: FilterKind, description: string];

/** All filters of the case list. The names are the API's own, but for the periods, which end when the node runs. */
export const FILTERS = {
	and_tags: ['Tags (All)', tags, 'Cases that have all of these tags'],
	tags: ['Tags (Same as All)', tags, 'Use Tags (All) instead: it is the same'],
	or_tags: ['Tags (Any)', tags, 'Cases that have at least one of these tags'],
	excluded_tags: ['Tags (None)', tags, 'Cases that have none of these tags'],
	assigned_to_me: [
		'Assigned to Me',
		toggle,
		'Whether to return only cases assigned to the user of the API key. Needs a personal key.',
	],
	unassigned: ['Unassigned', toggle, 'Whether to return only cases without an assignee'],
	assignees: ['Assignees', userIds, 'Cases assigned to any of these users'],
	assignee_emails: [
		'Assignee Emails',
		emails,
		'Cases assigned to a user with one of these email addresses',
	],
	author_emails: [
		'Author Emails',
		emails,
		'Cases created by a user with one of these email addresses',
	],
	case_ids: [
		'Case IDs',
		caseIds,
		'Case IDs with commas between them, or an expression that returns a list. An empty field is ignored. An empty list returns no cases.',
	],
	metadata: [
		'Metadata',
		metadata,
		'Cases whose metadata has all of these pairs. Add a pair at once, because n8n removes an empty filter.',
	],
	priority: [
		'Priority',
		choices([...PRIORITIES].reverse()),
		'Cases with one of these priorities. Each priority is read on its own, so several take more requests.',
	],
	status: ['Status', choice(STATUSES), 'Cases with this status'],
	records: [
		'Records',
		texts('Add Record', 'e.g. 203.0.113.7'),
		'Cases with a record that has one of these values, for example an IP address. The service may not find long texts.',
	],
	search: [
		'Search',
		text('e.g. phishing'),
		'Cases with this text in their name, description or ID',
	],
	start_date: ['Date From', date('start'), `Use Updated From or Resolved From instead. ${UNCLEAR}`],
	end_date: ['Date Until', date('end'), `Use Updated Until or Resolved Until instead. ${UNCLEAR}`],
	resolved_at_start_date: ['Resolved From', date('start'), 'Cases resolved at this time or later'],
	resolved_at_end_date: ['Resolved Until', date('end'), 'Cases resolved at this time or earlier'],
	updated_at_start_date: ['Updated From', date('start'), 'Cases updated at this time or later'],
	updated_at_end_date: ['Updated Until', date('end'), 'Cases updated at this time or earlier'],
	created_within: ['Created Within the Last', period, inPeriod('created')],
	resolved_within: ['Resolved Within the Last', period, inPeriod('resolved')],
	updated_within: ['Updated Within the Last', period, inPeriod('updated')],
	team_id: ['Team', team, 'Cases of this team'],
} satisfies Record<string, Filter>;

/** The name of a filter that the form has. */
export type FilterName = keyof typeof FILTERS;

type FilterValues = { [Name in FilterName]?: ReturnType<(typeof FILTERS)[Name][1]['read']> };

/** The date filters that are the two ends of one range. */
const DATE_RANGES: Array<[start: FilterName, end: FilterName]> = [
	['start_date', 'end_date'],
	['resolved_at_start_date', 'resolved_at_end_date'],
	['updated_at_start_date', 'updated_at_end_date'],
];

/** The periods that stand for the start of a range. The API has no filter for the date of creation. */
const PERIODS = {
	resolved_within: ['resolved_at_start_date', 'resolved_at_end_date'],
	updated_within: ['updated_at_start_date', 'updated_at_end_date'],
} satisfies { [Period in FilterName]?: FilterName[] };

const isFilterName = (name: string): name is FilterName => Object.hasOwn(FILTERS, name);

export const labelOf = (name: FilterName): string => FILTERS[name][0];

/** Names a filter in a message: by its label or, where the form doesn't have it, by the API's name. */
export function nameFilter(name: string): string {
	return isFilterName(name) ? `'${labelOf(name)}'` : quote(name);
}

function fieldOf(name: string, [displayName, { form, note }, text]: Filter): INodeProperties {
	const description = note === undefined ? text : `${text}. ${note}`;
	return { ...form, displayName, name, description };
}

/**
 * The Filters collection, in alphabetical order of the labels.
 * @param show undefined for a trigger: a period that ends now would be another filter at each poll
 * @param without filters that the place can't use
 */
export function filtersField(show: Show | undefined, without: FilterName[] = []): INodeProperties {
	const fields = (Object.keys(FILTERS) as FilterName[])
		.filter((name) => !without.includes(name) && (show !== undefined || !name.endsWith('_within')))
		.map((name) => fieldOf(name, FILTERS[name]));
	const texts = {
		displayName: 'Filters',
		name: 'filters',
		placeholder: 'Add Filter',
		description:
			'Only cases that match all of these filters. Without filters: every case that the API key can see.',
	};
	return collectionField(show, texts, [...fields, OTHER_FILTERS]);
}

/**
 * Reads the entries of the Filters collection. Blank filters are left out.
 * @param given by the API's filter names, and the other filters
 * @param timezone of the workflow, for dates without a zone
 * @param startedAt when the run began, in ms since the epoch, for periods that end then
 * @throws InvalidInput naming the filter that can't be used
 */
export function parseFilters(
	given: Record<string, unknown>,
	timezone: string,
	startedAt?: number,
): CaseFilters {
	const { other, ...known } = given;
	const values: Record<string, QueryValue> =
		other === undefined ? {} : parseOtherFilters(other, refuseNameOfForm);
	for (const [name, value] of Object.entries(known)) {
		if (!isFilterName(name)) {
			throw new InvalidInput(
				`There is no filter ${quote(name)}`,
				`The filters are: ${Object.keys(FILTERS)
					.join(', ')
					.replace(/, (\w+)$/, ' and $1')}.`,
			);
		}
		const [label, { read }]: Filter = FILTERS[name];
		const parsed = read(value, label, timezone, startedAt);
		if (parsed !== undefined) values[name] = parsed;
	}
	startPeriods(values);
	completeRanges(values);
	const { case_ids, team_id, priority, created_within, ...filters } = values as FilterValues;
	return {
		...withPriorities(filters, priority),
		caseIds: case_ids,
		teamId: team_id,
		...(created_within === undefined ? {} : { createdSince: Date.parse(created_within) }),
	};
}

/** Puts the start of each period into the filter of the API that it stands for. @throws InvalidInput if that is given too */
function startPeriods(values: Record<string, QueryValue>): void {
	for (const [period, [start, end]] of Object.entries(PERIODS)) {
		const { [period]: from } = values;
		if (from === undefined) continue;
		const other = [start, end].find((name) => values[name] !== undefined);
		if (other !== undefined) {
			throw new InvalidInput(
				`${nameFilter(period)} and ${nameFilter(other)} both limit the same time`,
				'Remove one of the two filters.',
			);
		}
		delete values[period];
		values[start] = from;
	}
}

/** A filter of the form has one way to be set, with checks of its own. */
function refuseNameOfForm(name: string): void {
	if (!isFilterName(name)) return;
	const isTime = name.startsWith('updated_at_');
	throw new InvalidInput(
		`'Other Filters': ${quote(name)} is a filter of the form`,
		`Remove it there, and use the filter '${labelOf(name)}'.${isTime ? ' The trigger sets it by itself.' : ''}`,
	);
}

/** The API takes one priority. Several take a request each; all of them limit nothing. */
function withPriorities(
	filters: CaseFilters['filters'],
	priorities: string[] = [],
): Pick<CaseFilters, 'filters' | 'priorities'> {
	if (priorities.length === 1) return { filters: { ...filters, priority: priorities[0] } };
	const isLimited = priorities.length > 0 && priorities.length < PRIORITIES.length;
	return { filters, ...(isLimited ? { priorities } : {}) };
}

/**
 * Sends an end with each start: without one the service takes "today", which leaves out what happened today.
 * @throws InvalidInput for a start later than its end
 */
function completeRanges(values: Record<string, QueryValue>): void {
	for (const [start, end] of DATE_RANGES) {
		const from = values[start];
		if (from === undefined) continue;
		const until = (values[end] ??= FAR_FUTURE);
		// Timestamps of one format compare like the times that they stand for.
		if (from <= until) continue;
		throw new InvalidInput(
			`'${labelOf(start)}' is later than '${labelOf(end)}'`,
			'No case can match. Swap the two dates, or remove one.',
		);
	}
}

/** The Filters of an input item. @throws InvalidInput naming the filter that can't be used */
export function readFilters(parameters: Parameters, item: number): CaseFilters {
	const labelOfEntry = (name: string) =>
		isFilterName(name) ? labelOf(name) : OTHER_FILTERS.displayName;
	const given = readLimits(parameters, item, 'filters', 'Filters', labelOfEntry);
	return parseFilters(given, parameters.timezone, parameters.startedAt);
}
