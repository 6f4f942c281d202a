import { isRow, metaOf, rowsIn, type Ask, type Reply, type Row } from './ask';

/** Whether an assumption of the nodes about the API holds at a tenant. What was seen has no content of cases. */
export interface Finding {
	assumption: string;
	verdict: 'holds' | 'differs' | 'unknown';
	seen: string;
}

/** What all checks know: the newest cases, and how many there are. */
interface Tenant {
	ask: Ask;
	/** A page of fifty of the newest cases. */
	newest: Reply;
	rows: Row[];
	total?: number;
}

type Check = (tenant: Tenant) => Promise<Finding[]>;

const CASES = '/api/v2/cases';
const FAR_FUTURE = '2099-12-31T23:59:59Z';

const finding = (assumption: string, holds: boolean | undefined, seen: string): Finding => ({
	assumption,
	verdict: holds === undefined ? 'unknown' : holds ? 'holds' : 'differs',
	seen,
});
const statusOf = ({ status }: Reply) => (status === 0 ? 'no answer' : `status ${status}`);
const timeOf = (row: Row, field: string) => Date.parse(String(row[field]));
const idOf = (row: Row) => String(row.case_id);
/** The entries of a list in all cases. */
const entriesIn = (rows: Row[], list: string) =>
	rows.flatMap((row) => (Array.isArray(row[list]) ? row[list].filter(isRow) : []));
const stamp = (time: number) => new Date(time).toISOString().replace(/\.\d+Z$/, 'Z');

/** How many cases match: the pages of one case each. */
async function countOf(ask: Ask, query: Array<[string, string | number]> = []) {
	const reply = await ask(CASES, [...query, ['per_page', 1]]);
	return rowsIn(reply, 'cases')?.length === 0 ? 0 : metaOf(reply, 'pages');
}

const clock: Check = async ({ newest: { clockAhead } }) => [
	finding(
		'Answers have a Date header',
		clockAhead !== undefined,
		clockAhead === undefined ? 'none' : `${clockAhead} s ahead of this machine`,
	),
];

const timestamps: Check = async ({ rows }) => {
	const times = rows.flatMap(({ created_at, updated_at }) => [created_at, updated_at]);
	const isUsual = (time: unknown) => /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/.test(String(time));
	const usual = times.filter(isUsual).length;
	return [
		finding(
			'Timestamps are ISO 8601 in whole seconds with Z',
			times.length === 0 ? undefined : usual === times.length,
			`${usual} of ${times.length}`,
		),
	];
};

const pages: Check = async ({ ask, newest, rows, total }) => {
	const perPage = metaOf(newest, 'per_page');
	const count = metaOf(newest, 'count');
	const stated = metaOf(newest, 'pages');
	const large = await ask(CASES, [['per_page', 500]]);
	const largeRows = rowsIn(large, 'cases')?.length ?? 0;
	const isLarge = largeRows > 50 || metaOf(large, 'per_page') === 500;
	const list = (page: number): Array<[string, string | number]> => [
		['order', 'CREATED_ASC'],
		['per_page', 50],
		['page', page],
	];
	const known = total !== undefined && stated !== undefined;
	const last = known ? await ask(CASES, list(stated)) : undefined;
	const beyond = known ? await ask(CASES, list(stated + 1)) : undefined;
	const came = known ? 50 * (stated - 1) + (rowsIn(last as Reply, 'cases')?.length ?? 0) : 0;
	const beyondRows = beyond && rowsIn(beyond, 'cases')?.length;
	return [
		finding(
			'A page has the size that is requested',
			perPage === 50,
			`50 requested, ${perPage ?? 'none'} stated`,
		),
		finding(
			'Larger pages than 50 are refused or truncated',
			large.status !== 200 ? true : isLarge ? false : (total ?? 0) > 50 ? true : undefined,
			`500 requested: ${statusOf(large)}, ${largeRows} rows`,
		),
		finding(
			'Page counts agree with what comes',
			known && last?.status === 200
				? came === total && stated === Math.max(1, Math.ceil(total / 50))
				: undefined,
			known ? `${total} by pages of one, ${came} by pages of 50` : 'no page counts',
		),
		finding(
			'The page behind the last one is empty',
			beyond === undefined || beyond.status === 0 ? undefined : beyondRows === 0,
			beyond === undefined ? 'no page counts' : `${statusOf(beyond)}, ${beyondRows ?? 'no'} rows`,
		),
		finding(
			'count is the number of rows on the page',
			count === undefined || total === rows.length ? undefined : count === rows.length,
			count === undefined
				? 'none'
				: count === rows.length
					? 'of the page'
					: count === total
						? 'the total'
						: 'neither',
		),
	];
};

const FORMATS: Record<string, (ids: string[]) => Array<[string, string]>> = {
	brackets: (ids) => ids.map((id) => ['filters[case_ids][]', id]),
	indices: (ids) => ids.map((id, index) => [`filters[case_ids][${index}]`, id]),
	repeat: (ids) => ids.map((id) => ['filters[case_ids]', id]),
	comma: (ids) => [['filters[case_ids]', ids.join()]],
};

const listFormat: Check = async ({ ask, rows, total }) => {
	const ids = rows.slice(0, 2).map(idOf);
	if (ids.length < 2 || (total ?? 0) < 3) {
		return [finding('Lists are sent with brackets', undefined, 'fewer than three cases')];
	}
	const working: string[] = [];
	for (const [name, queryOf] of Object.entries(FORMATS)) {
		const found = rowsIn(await ask(CASES, [...queryOf(ids), ['per_page', 50]]), 'cases')?.map(idOf);
		if (found?.length === 2 && ids.every((id) => found.includes(id))) working.push(name);
	}
	const isBrackets = working.includes('brackets');
	return [
		finding('Lists are sent with brackets', isBrackets, `works: ${working.join(', ') || 'none'}`),
	];
};

const filters: Check = async ({ ask, rows, total }) => {
	const open = rowsIn(
		await ask(CASES, [
			['filters[status]', 'OPEN'],
			['per_page', 50],
		]),
		'cases',
	);
	const unknown = await ask(CASES, [
		['filters[no_such_filter_of_n8n]', 'x'],
		['per_page', 1],
	]);
	const tag = entriesIn(rows, 'tags').at(0)?.name;
	const withTag =
		typeof tag === 'string' ? await countOf(ask, [['filters[and_tags][]', tag]]) : undefined;
	const heeds = async (name: string) => {
		if (typeof tag !== 'string' || total === undefined || withTag === undefined) return undefined;
		const left = await countOf(ask, [[`filters[${name}][]`, tag]]);
		return left === undefined ? undefined : left === total - withTag;
	};
	const [old, renamed] = [await heeds('excluded_tags'), await heeds('exclude_tags')];
	const said = (is?: boolean) => (is === undefined ? 'unknown' : is ? 'heeded' : 'not heeded');
	return [
		finding(
			'The filter status is heeded',
			open === undefined || open.length === 0
				? undefined
				: open.every(({ status }) => status === 'OPEN'),
			`${open?.length ?? 'no'} rows`,
		),
		finding(
			'An unknown filter is refused',
			unknown.status === 0 ? undefined : unknown.status >= 400,
			statusOf(unknown),
		),
		finding(
			'The filter excluded_tags is heeded',
			old,
			`excluded_tags ${said(old)}, exclude_tags ${said(renamed)}`,
		),
	];
};

const PRIORITIES = ['INFO', 'LOW', 'MEDIUM', 'HIGH', 'CRITICAL'];
const time = (field: string) => (row: Row) => timeOf(row, field);
const urgency = ({ priority }: Row) => PRIORITIES.indexOf(String(priority));
const ORDERS: Array<[name: string, keyOf: (row: Row) => number, direction: 1 | -1]> = [
	['CREATED_ASC', time('created_at'), 1],
	['CREATED_DESC', time('created_at'), -1],
	['OPENED_ASC', time('opened_at'), 1],
	['OPENED_DESC', time('opened_at'), -1],
	['PRIORITY_ASC', urgency, 1],
	['PRIORITY_DESC', urgency, -1],
	['RECENTLY_EDITED', time('updated_at'), -1],
	['LEAST_RECENTLY_EDITED', time('updated_at'), 1],
];

const orders: Check = async ({ ask }) => {
	const findings: Finding[] = [];
	for (const [order, keyOf, direction] of ORDERS) {
		const reply = await ask(CASES, [
			['order', order],
			['per_page', 50],
		]);
		const keys = (rowsIn(reply, 'cases') ?? []).map(keyOf).filter((key) => !Number.isNaN(key));
		const wrong = keys.filter((key, index) => index > 0 && (key - keys[index - 1]) * direction < 0);
		const isTelling = new Set(keys).size > 1;
		findings.push(
			finding(
				`The order ${order} is by the documented key`,
				isTelling ? wrong.length === 0 : undefined,
				`${keys.length} rows, ${wrong.length} out of order`,
			),
		);
	}
	return findings;
};

const dates: Check = async ({ ask }) => {
	const latest = rowsIn(
		await ask(CASES, [
			['order', 'RECENTLY_EDITED'],
			['per_page', 1],
		]),
		'cases',
	)?.[0];
	const edited = latest === undefined ? NaN : timeOf(latest, 'updated_at');
	const assumptions = [
		'Ranges of dates compare seconds',
		'Ranges of dates begin with their start',
		'A range without an end lasts until now',
	];
	if (latest === undefined || Number.isNaN(edited)) {
		return assumptions.map((text) => finding(text, undefined, 'no case with a date'));
	}
	const finds = async (start: number, end?: string) => {
		const reply = await ask(CASES, [
			['filters[updated_at_start_date]', stamp(start)],
			...(end === undefined ? [] : [['filters[updated_at_end_date]', end] as [string, string]]),
			['filters[case_ids][]', idOf(latest)],
			['per_page', 50],
		]);
		return rowsIn(reply, 'cases')?.some((row) => idOf(row) === idOf(latest));
	};
	const second = Math.floor(edited / 1000) * 1000;
	const isSameDay = stamp(second + 1000).slice(0, 10) === stamp(second).slice(0, 10);
	const later = isSameDay ? await finds(second + 1000, FAR_FUTURE) : undefined;
	const atStart = await finds(second, FAR_FUTURE);
	const open = await finds(second);
	const said = (is?: boolean) => (is === undefined ? 'unknown' : is ? 'found' : 'not found');
	return [
		finding(
			assumptions[0],
			later === undefined ? undefined : !later,
			`a second after the last edit: ${said(later)}`,
		),
		finding(assumptions[1], atStart, `from the second of the last edit: ${said(atStart)}`),
		finding(assumptions[2], open, `the same without an end: ${said(open)}`),
	];
};

/** Whether comments change updated_at, by cases whose history came as a whole. */
const commentsTouch: Check = async ({ rows }) => {
	const lastEntries = rows.flatMap((row) => {
		const pages = isRow(row.activities_meta) ? row.activities_meta.pages : undefined;
		const entries = entriesIn([row], 'activities');
		const last = entries.sort((a, b) => timeOf(a, 'created_at') - timeOf(b, 'created_at')).at(-1);
		if (pages !== 1 || last?.activity_type !== 'COMMENTED') return [];
		return [timeOf(last, 'created_at') - timeOf(row, 'updated_at')];
	});
	const later = lastEntries.filter((ms) => ms > 2000).length;
	const equal = lastEntries.filter((ms) => Math.abs(ms) <= 2000).length;
	const touches = later > 0 ? false : equal > 0 ? true : undefined;
	return [
		finding(
			'A comment changes updated_at of its case',
			touches,
			`${equal} comments at the time of the last edit, ${later} after it`,
		),
	];
};

/** Checks that there is a list: of one case, or of /api/v1. */
async function listOf(ask: Ask, path: string | undefined, name: string, assumption: string) {
	if (path === undefined) return finding(assumption, undefined, 'no such case');
	const reply = await ask(path, [['per_page', 20]]);
	const rows = rowsIn(reply, name);
	const holds = reply.status === 0 ? undefined : reply.status === 200 && rows !== undefined;
	return finding(assumption, holds, `${statusOf(reply)}, ${rows?.length ?? 'no'} rows`);
}

const ownLists: Check = async ({ ask, rows }) => {
	const having = (field: string) =>
		rows.find((row) => Array.isArray(row[field]) && row[field].length > 0) ?? rows.at(0);
	const pathOf = (row: Row | undefined, list: string) => row && `${CASES}/${idOf(row)}${list}`;
	const withActions = having('actions');
	const single = withActions && (await ask(`${CASES}/${idOf(withActions)}`));
	const groups = entriesIn(rows, 'records');
	const grouped = groups.filter((one) => Array.isArray(one.record_type_record_results)).length;
	return [
		await listOf(
			ask,
			pathOf(having('activities'), '/comments'),
			'comments',
			'Cases have a list of comments',
		),
		await listOf(
			ask,
			pathOf(having('activities'), '/activities'),
			'activities',
			'Cases have a list of activities',
		),
		await listOf(
			ask,
			pathOf(having('records'), '/records'),
			'records',
			'Cases have a list of records',
		),
		finding(
			'Records are grouped by type',
			groups.length === 0 ? undefined : grouped === groups.length,
			`${grouped} of ${groups.length}`,
		),
		await listOf(
			ask,
			pathOf(withActions, '/actions'),
			'actions',
			'Cases have a list of actions, for single actions',
		),
		finding(
			'A case can be read by its ID',
			single === undefined || single.status === 0
				? undefined
				: idOf(single.body) === idOf(withActions as Row),
			single === undefined ? 'no such case' : statusOf(single),
		),
	];
};

/** What newer services have of each case, and what their teams have set up. */
const newerLists: Check = async ({ ask, rows }) => {
	const [first] = rows;
	const ofCase = async (list: string) =>
		await listOf(
			ask,
			first && `${CASES}/${idOf(first)}/${list}`,
			list,
			`Cases have a list of ${list.replace('_', ' ')}`,
		);
	return [
		await ofCase('tasks'),
		await ofCase('linked_cases'),
		await ofCase('fields'),
		await listOf(ask, '/api/v1/record_types', 'record_types', 'There is a list of record types'),
		await listOf(ask, '/api/v1/case_inputs', 'case_inputs', 'There is a list of case inputs'),
	];
};

/** What Update writes beside the fields of a case. */
const parts: Check = async ({ rows }) => {
	const values = entriesIn(rows, 'fields');
	const asText = values.filter(
		({ value, case_input }) => (value === null || typeof value === 'string') && isRow(case_input),
	).length;
	const edits = entriesIn(rows, 'activities').filter(
		({ activity_type }) => activity_type === 'METADATA_UPDATED',
	).length;
	return await Promise.resolve([
		finding(
			'Cases show the values of their fields as text',
			values.length === 0 ? undefined : asText === values.length,
			`${asText} of ${values.length}`,
		),
		// Only a change would show that it does not.
		finding(
			'An edit of metadata shows in the history',
			edits > 0 || undefined,
			`${edits} such entries`,
		),
	]);
};

const download: Check = async ({ ask, rows }) => {
	const assumption = 'A file is downloaded without a redirect';
	const found = rows
		.flatMap((row) => entriesIn([row], 'activities').map((entry) => ({ row, entry })))
		.find(({ entry }) => isRow(entry.file) && entry.activity_type !== 'FILE_DELETED');
	if (found === undefined) return [finding(assumption, undefined, 'no file')];
	const path = `${CASES}/${idOf(found.row)}/files/${String(found.entry.id)}/download`;
	const reply = await ask(path, [], undefined, false);
	return [
		finding(assumption, reply.status === 0 ? undefined : reply.status === 200, statusOf(reply)),
	];
};

const beyond: Check = async ({ ask, rows }) => {
	const team = rows.map((row) => row.team).find(isRow)?.id;
	const webhooks = team === undefined ? undefined : `/api/v1/case_webhooks`;
	const reply =
		webhooks &&
		(await ask(webhooks, [
			['team_id', String(team)],
			['per_page', 20],
		]));
	return [
		await listOf(ask, '/api/v1/teams', 'teams', 'There is a list of teams'),
		await listOf(ask, '/api/v1/tags', 'tags', 'There is a list of tags'),
		finding(
			'There are webhooks of cases',
			!reply || reply.status === 0 ? undefined : rowsIn(reply, 'webhooks') !== undefined,
			reply ? statusOf(reply) : 'no team',
		),
	];
};

const schemes: Check = async ({ ask }) => {
	const [header, bearer] = [
		await ask(CASES, [['per_page', 1]], 'header'),
		await ask(CASES, [['per_page', 1]], 'bearer'),
	];
	return [
		finding(
			'The key is accepted in both headers',
			header.status === 0 || bearer.status === 0
				? undefined
				: header.status === 200 && bearer.status === 200,
			`X-User-Token: ${statusOf(header)}, Bearer: ${statusOf(bearer)}`,
		),
	];
};

const CHECKS = [
	clock,
	timestamps,
	pages,
	listFormat,
	filters,
	orders,
	dates,
	commentsTouch,
	ownLists,
	newerLists,
	parts,
	download,
	beyond,
	schemes,
];

/**
 * Checks the assumptions of the nodes about the API at a tenant.
 * @throws Error where the list of cases can't be read at all
 */
export async function checkTenant(ask: Ask): Promise<Finding[]> {
	const newest = await ask(CASES, [
		['order', 'CREATED_DESC'],
		['per_page', 50],
		['page', 1],
	]);
	const rows = rowsIn(newest, 'cases');
	if (rows === undefined) {
		throw new Error(
			`The list of cases can't be read (${statusOf(newest)}). Check Base URL and key.`,
		);
	}
	const tenant: Tenant = { ask, newest, rows, total: await countOf(ask) };
	const findings: Finding[] = [];
	for (const check of CHECKS) findings.push(...(await check(tenant)));
	return findings;
}
