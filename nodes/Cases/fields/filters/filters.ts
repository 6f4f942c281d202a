// Law of this folder: a filter is one row of the table below; its kind decides form and reading.

import type { CaseFilters } from '../../api/cases/caseQuery';
import { checkFilters } from '../../api/cases/cases';
import { InvalidInput, quote } from '../../api/failures/failure';
import type { Client } from '../../api/http/client';
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
	records,
	search,
	tags,
	team,
	toggle,
	userIds,
} from './filterKinds';
import {
	collectionForm,
	formOf,
	readCollection,
	type Entry,
	type Field,
	type Parameters,
} from '../form';
import { asRecord, entriesOf, isBlank, isNothing, listOf, refuseNothing } from '../values';
import { others } from './otherFilters';

const inPeriod = (verb: string) =>
	`Cases that were ${verb} in this period, which ends when the node runs`;
const EMPTY_LIST = 'An empty list returns no cases.';
const UNCLEAR = "The API doesn't say of which date";

/** All filters of the case list. The names are the API's own, apart from the periods (`…_within`) and `other`. */
export const FILTERS = {
	and_tags: ['Tags (All)', tags, 'Cases that have all of these tags'],
	tags: ['Tags (Same as All)', tags, 'The same as Tags (All)'],
	or_tags: ['Tags (Any)', tags, 'Cases that have at least one of these tags'],
	excluded_tags: ['Tags (None)', tags, 'Cases that have none of these tags'],
	assigned_to_me: [
		'Assigned to Me',
		toggle,
		'Whether to return only cases assigned to the user of the API key. Needs a personal key.',
	],
	unassigned: ['Unassigned', toggle, 'Whether to return only cases without an assignee'],
	assignees: ['Assignees', userIds, 'Cases assigned to any of these users'],
	assignee_emails: ['Assignee Emails', emails, 'Cases assigned to any of these people'],
	author_emails: ['Author Emails', emails, 'Cases created by any of these people'],
	case_ids: [
		'Case IDs',
		caseIds,
		`Case IDs with commas between them, or an expression that returns a list. An empty field is ignored. ${EMPTY_LIST}`,
	],
	metadata: ['Metadata', pairs('e.g. source', 'e.g. mail'), 'Cases with all of these metadata'],
	priority: [
		'Priority',
		choices([...PRIORITIES].reverse()),
		'Cases with one of these priorities. Each priority is read on its own, so several take more requests.',
	],
	status: ['Status', choice(STATUSES), 'Cases with this status'],
	records: [
		'Records',
		records,
		'Cases with a record that has one of these values, for example an IP address. The service may not find long texts.',
	],
	search: ['Search', search, 'Cases with this text in their name, description or ID'],
	start_date: ['Date From', date('start'), `${UNCLEAR}: use Updated From`],
	end_date: ['Date Until', date('end'), `${UNCLEAR}: use Updated Until`],
	resolved_at_start_date: ['Resolved From', date('start'), 'Cases resolved at this time or later'],
	resolved_at_end_date: ['Resolved Until', date('end'), 'Cases resolved at this time or earlier'],
	updated_at_start_date: ['Updated From', date('start'), 'Cases updated at this time or later'],
	updated_at_end_date: ['Updated Until', date('end'), 'Cases updated at this time or earlier'],
	created_within: ['Created Within the Last', period, inPeriod('created')],
	resolved_within: ['Resolved Within the Last', period, inPeriod('resolved')],
	updated_within: ['Updated Within the Last', period, inPeriod('updated')],
	team_id: ['Team', team, 'Cases of this team'],
	other: [
		'Other Filters',
		others,
		"Filters of your service that are not in this list. They are sent as you enter them. A service that doesn't know such a filter may ignore it, and return other cases too.",
	],
} satisfies Record<string, Entry>;

export type FilterName = keyof typeof FILTERS;

type FilterValues = { [Name in FilterName]?: ReturnType<(typeof FILTERS)[Name][1]['read']> };

/** For each range of dates: the filters for its two ends, and the period that can stand for its start. */
const RANGES: Array<[start: FilterName, end: FilterName, period?: FilterName]> = [
	['start_date', 'end_date'],
	['resolved_at_start_date', 'resolved_at_end_date', 'resolved_within'],
	['updated_at_start_date', 'updated_at_end_date', 'updated_within'],
];

const isEmptyList = (value: unknown) => Array.isArray(value) && value.length === 0;

const isFilterName = (name: string): name is FilterName => Object.hasOwn(FILTERS, name);

/** The name of a filter in messages: its label or, for a filter that the form doesn't have, its name in the API. */
export function nameFilter(name: string): string {
	return isFilterName(name) ? `'${FILTERS[name][0]}'` : quote(name);
}

/** Filters by a period that ends now. To a trigger, such a period would be another filter at each poll. */
export const PERIODS: FilterName[] = ['created_within', 'resolved_within', 'updated_within'];

/**
 * The Filters collection, in alphabetical order of the labels.
 * @param without filters that this form leaves out
 */
export const filtersField = (without: FilterName[] = []): Field<CaseFilters> => ({
	form: [
		collectionForm(
			{
				displayName: 'Filters',
				name: 'filters',
				placeholder: 'Add Filter',
				description:
					'Only cases that match all of these filters. Without filters: every case that the API key can see.',
			},
			(Object.keys(FILTERS) as FilterName[])
				.filter((name) => !without.includes(name))
				.map((name) => formOf(name, FILTERS[name])),
		),
	],
	read: readFilters,
});

/** The Filters of an operation: those that no request has room for are refused. */
export const FILTERS_TO_SEND: Field<CaseFilters, Parameters & { client: Client }> = {
	...filtersField(),
	read: (from, item) => {
		const filters = readFilters(from, item);
		checkFilters(from.client, filters);
		return filters;
	},
};

/**
 * Reads the entries of the Filters collection. Blank filters are left out.
 * @throws InvalidInput that names the filter which can't be used
 */
export function parseFilters(
	given: Record<string, unknown>,
	timezone: string,
	startedAt?: number,
): CaseFilters {
	const values: Record<string, unknown> = {};
	for (const [name, [label, { read }]] of Object.entries<Entry>(FILTERS)) {
		if (isBlank(given[name])) continue;
		const value = read(given[name], label, timezone, startedAt);
		// An empty list of case IDs means that no case matches. Other lists are empty as long as nothing is chosen.
		if (name === 'case_ids' || !isEmptyList(value)) values[name] = value;
	}
	completeRanges(values as Record<string, string | undefined>);
	const { case_ids, team_id, priority, created_within, other, ...ofForm } = values as FilterValues;
	refuseNamesOfForm(Object.keys(other ?? {}));
	const one: CaseFilters['filters'] = priority?.length === 1 ? { priority: priority[0] } : {};
	return {
		filters: { ...ofForm, ...one, ...other },
		caseIds: case_ids,
		teamId: team_id,
		// The API takes one priority, so several are kept apart: each takes a request of its own.
		...(priority === undefined || priority.length === 1 ? {} : { priorities: priority }),
		...(created_within === undefined ? {} : { createdSince: Date.parse(created_within) }),
	};
}

/**
 * Adds an end to each range that has only a start: without an end the service takes "today", and leaves out what happened
 * today. Turns periods into starts.
 * @throws InvalidInput for a start later than its end, and for a period beside a start or an end
 */
function completeRanges(values: Record<string, string | undefined>): void {
	for (const [start, end, period = ''] of RANGES) {
		const { [period]: since } = values;
		const other = [start, end].find((name) => values[name] !== undefined);
		if (since !== undefined && other !== undefined) {
			throw new InvalidInput(
				`${nameFilter(period)} and ${nameFilter(other)} both limit the same time`,
				'Remove one of the two filters.',
			);
		}
		delete values[period];
		const from = values[start] ?? since;
		if (from === undefined) continue;
		values[start] = from;
		const until = (values[end] ??= FAR_FUTURE);
		// All have the same format, so comparing the texts compares the times.
		if (from <= until) continue;
		throw new InvalidInput(
			`${nameFilter(start)} is later than ${nameFilter(end)}`,
			'No case can match. Swap the two dates, or remove one.',
		);
	}
}

/** Refuses filters of the form under Other Filters, where they would escape their own checks. */
function refuseNamesOfForm(names: string[]): void {
	const name = names.find(isFilterName);
	if (name === undefined) return;
	throw new InvalidInput(
		`${nameFilter('other')}: ${quote(name)} can't be set here`,
		`Remove it, and use ${nameFilter(name)} instead, if this form has it.`,
	);
}

/** As {@link isNothing}, for the filter Case IDs: an empty list means no case, and an empty text is nothing. */
const areNoIds = (value: unknown) => entriesOf(value).length === 0 && !isEmptyList(listOf(value));

/**
 * Reads the Filters collection for an input item.
 * @throws InvalidInput that names the filter which can't be used, or whose expression returns nothing
 */
function readFilters(parameters: Parameters, item: number): CaseFilters {
	const { parameter, stored, timezone, startedAt } = parameters;
	const given = readCollection(parameter('filters', item, {}), 'Filters');
	for (const [name, value] of Object.entries(asRecord(stored('filters')))) {
		const isId = name === 'case_ids';
		const advice = isId ? EMPTY_LIST : undefined;
		refuseNothing(nameFilter(name), value, given[name], isId ? areNoIds : isNothing, advice);
	}
	return parseFilters(given, timezone, startedAt);
}
