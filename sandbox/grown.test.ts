import { directService } from './direct';
import { errorBody } from './errors';
import { ALL_GROWN, GROWN_TRAITS, parseTraits, type GrownTrait } from './grown';
import { seedStore } from './seed';
import { CaseStore } from './store';
import { clientOf, NOW, storeWith } from './testSupport';

type Row = Record<string, unknown>;
interface Answer {
	cases: Row[];
	comments: Row[];
	activities: Row[];
	records: Row[];
	actions: Row[];
	meta: Row;
}

const BUTTONS = ['a', 'b'].map((label) => ({
	url: 'https://a.example/',
	label,
	action_type: 'webhook' as const,
	action_text: `Run ${label}`,
}));

const RECORDS = [
	{
		record_type_id: 1,
		record_type_name: 'Host',
		record_type_record_results: [
			{ id: 5, results: [{ id: 6, name: 'name', value: 'h1' }], created_at: NOW },
		],
	},
];

/** Four cases: assigned to Ana and Bruno, to Bruno, to nobody, and by another author. */
const world = (grown: readonly GrownTrait[]) => {
	const clock = { now: Date.parse(NOW) };
	const store = storeWith(
		[
			{ tags: ['vip'], assignees: [1, 2], actions: BUTTONS, records: RECORDS },
			{ assignees: [2], sub_status: 'Waiting', fields: { risk: 7 } },
			{ status: 'CLOSED' },
			{ assignees: [3], author: 2 },
		],
		{ now: () => new Date(clock.now), logsEdits: grown.includes('activity-kinds') },
	);
	store.addComment(1, 'Hello');
	const serve = directService(store, { grown });
	const get = (path: string, queryString = '') =>
		serve({ path: `/api/v2${path}`, queryString }) as Answer;
	const list = (queryString = 'page=1') => get('/cases', `order=CREATED_ASC&${queryString}`);
	return {
		clock,
		store,
		serve,
		get,
		list,
		ids: (queryString: string) => list(queryString).cases.map(({ case_id }) => case_id),
		post: (path: string, body: object, method: 'POST' | 'PUT' = 'POST') =>
			serve({ method, path: `/api/v2${path}`, body }) as Row,
		put: (actions: unknown[]) =>
			serve({
				method: 'PUT',
				path: '/api/v2/cases/1/actions/batch',
				body: { actions },
			}) as Answer,
	};
};
type World = ReturnType<typeof world>;

const filter = (name: string, ...values: string[]) =>
	values.map((value) => `filters[${name}][]=${value}`).join('&');
const hostOf = (url: unknown) => new URL(String(url)).host;

/** What only a service with the trait does. The strict one fails each of these. */
const SHOWN_BY: Record<
	Exclude<GrownTrait, 'same-url' | 'error-details' | 'case-webhooks'>,
	(service: World) => void
> = {
	'page-size': ({ list }) => expect(list('per_page=500').meta).toMatchObject({ per_page: 500 }),
	'exclude-tags': ({ ids }) => {
		expect(ids(filter('exclude_tags', 'vip'))).toEqual([2, 3, 4]);
		expect(() => ids(filter('excluded_tags', 'vip'))).toThrow('excluded_tags');
	},
	'sub-status': ({ list, ids }) => {
		expect(list().cases.map(({ sub_status }) => (sub_status as Row).name)).toEqual([
			'New',
			'Waiting',
			'Done',
			'New',
		]);
		expect(ids(filter('sub_status_names', 'Waiting', 'Done'))).toEqual([2, 3]);
	},
	assignees: ({ ids }) => {
		expect(ids(filter('assignees', 'unassigned', '3'))).toEqual([3, 4]);
		expect(ids(filter('assignees', 'bruno.okafor@example.com'))).toEqual([1, 2]);
	},
	'and-assignees': ({ ids }) => expect(ids(filter('and_assignees', '1', '2'))).toEqual([1]),
	'exclude-assignees': ({ ids }) => expect(ids(filter('exclude_assignees', '2'))).toEqual([3, 4]),
	authors: ({ ids }) => {
		expect(ids(filter('authors', 'bruno.okafor@example.com'))).toEqual([4]);
		expect(ids(filter('exclude_authors', '2'))).toEqual([1, 2, 3]);
	},
	'unknown-ignored': ({ ids }) => {
		expect(ids(`${filter('exclude_tags', 'vip')}&anything=1`)).toEqual([1, 2, 3, 4]);
	},
	'case-writes': ({ post, store }) => {
		const { case_id } = post('/cases', { team_id: 1, name: 'New', priority: 'high' });
		post(`/cases/${String(case_id)}/comments`, { value: 'Hello' });
		post(`/cases/${String(case_id)}`, { status: 'closed' }, 'PUT');
		expect(store.getCase(5)).toMatchObject({ name: 'New', priority: 'HIGH', status: 'CLOSED' });
		expect(store.comments(5)).toMatchObject([{ value: 'Hello' }]);
	},
	'teams-and-tags': ({ serve }) =>
		expect(serve({ path: '/api/v1/tags' })).toMatchObject({ tags: [{ name: 'vip' }] }),
	'case-fields': ({ list }) => expect(list().cases[1].fields).toEqual({ risk: 7 }),
	sla: ({ clock, list }) => {
		const time = () => list().cases.map(({ sla }) => (sla as Row).time_to_resolve);
		clock.now += 5000;
		expect(time()).toEqual([5, 5, 5, 5]);
		expect(list().cases[0].slas).toMatchObject([{ time_to_resolve: 5 }]);
	},
	'activity-kinds': ({ store, get }) => {
		store.updateCase(2, { status: 'CLOSED', by: 3 });
		expect(get('/cases/2/activities').activities.at(-1)).toMatchObject({
			activity_type: 'STATUS_UPDATED',
			value: 'CLOSED',
			user: { user_id: '3' },
			created_at: NOW,
		});
	},
	'activity-fields': ({ store, get }) => {
		const file = { filename: 'log.txt', url: 'https://files.example/log.txt' };
		store.addActivity(1, 'FILE_ATTACHED', { file });
		const { activities } = get('/cases/1/activities');
		expect(activities.at(-1)).toMatchObject({ file, reactions: [] });
		expect(activities[0]).toMatchObject({ file: null });
	},
	'action-fields': ({ put }) => {
		const query_params = { host: 'h1' };
		expect(put([{ ...BUTTONS[0], query_params }]).actions[0]).toMatchObject({
			page_emoji: null,
			query_params,
			case_id: 1,
		});
	},
	'action-texts': ({ list }) =>
		expect(list().cases[0].actions).toMatchObject([{ action_text: 'Run a' }, {}]),
	'batch-order': ({ put }) => expect(put(BUTTONS).actions).toMatchObject([{ label: 'b' }, {}]),
	'meta-total': ({ list }) => {
		expect(list('per_page=3').meta).toMatchObject({ count: 4, next_page_number: 2 });
		expect(list('per_page=3&page=2').meta).toMatchObject({ count: 4, next_page_number: null });
	},
	'other-host': ({ list }) => {
		const { meta, cases } = list('per_page=1');
		expect(meta.next_page).toMatch(/^http:\/\/cases\.vanity\.example\/api\/v2\/cases\?.*page=2$/);
		expect(hostOf((cases[0].activities_meta as Row).current_page)).toBe('cases.vanity.example');
	},
	'flat-records': ({ list, get }) => {
		const record = { id: 5, record_type_name: 'Host', results: [{ value: 'h1' }] };
		expect(list().cases[0].records).toMatchObject([record]);
		expect(get('/cases/1/records').records).toMatchObject([record]);
		expect(get('/cases/1/records').records[0]).not.toHaveProperty('record_type_record_results');
	},
	'text-ids': ({ get }) =>
		expect(get('/cases/1/comments').comments[0].user).toMatchObject({ user_id: '1' }),
	'by-day': ({ ids }) =>
		expect(
			ids(
				'filters[updated_at_start_date]=2026-01-31T23:00:00Z&filters[updated_at_end_date]=2027-01-01T00:00:00Z',
			),
		).toHaveLength(4),
};

describe('A grown service', () => {
	it.each(Object.entries(SHOWN_BY))(
		'shows the trait %s, and the strict one does not',
		(name, show) => {
			show(world([name as GrownTrait]));
			expect(() => show(world([]))).toThrow();
		},
	);

	it('has all traits at once', async () => {
		const { sandbox, send, put } = await clientOf({ cases: 20, grown: true });
		const { json } = await send('/api/v2/cases?per_page=500&filters[anything]=1');
		expect(json.cases).toHaveLength(20);
		expect(Object.keys(json.cases[0])).toEqual(
			expect.arrayContaining(['sub_status', 'fields', 'sla', 'slas']),
		);
		expect((await send('/api/v2/cases/1/actions')).status).toBe(200);
		expect((await put('/api/v2/cases/1/actions/batch', {})).text).toMatch(/"details":/);
		sandbox.store.updateCase(1, { priority: 'CRITICAL', tags: [] });
		expect(sandbox.store.getCase(1).activities().at(-1)?.activity_type).toBe('TAGS_REMOVED');
	});

	it('keeps its traits when deviations begin and end', () => {
		const serve = directService(storeWith([{}]), { grown: ['unknown-ignored'] });
		const read = () => serve({ path: '/api/v2/cases', queryString: 'filters[x]=1' }) as Answer;
		serve.deviate({ filters: { startExclusive: true } });
		expect(read().cases).toHaveLength(1);
		serve.deviate();
		expect(read().cases).toHaveLength(1);
	});

	it('has generated cases with two actions for one URL', () => {
		const equal = (hasEqualUrls: boolean) => {
			const store = new CaseStore();
			seedStore(store, { cases: 50, seed: 1, hasEqualUrls });
			return [...store.cases()].filter((one) => {
				const urls = one.actions().map(({ url }) => url);
				return new Set(urls).size < urls.length;
			}).length;
		};
		expect([equal(true) > 0, equal(false)]).toEqual([true, 0]);
	});

	it.each([
		['details', { errors: [{ message: 'The request failed', details: 'page is wrong' }] }],
		['detailsList', [{ message: 'The request failed', details: 'page is wrong' }]],
		['fields', { errors: { page: ['is wrong'] } }],
	] as const)('may show an error as %s', (shape, expected) => {
		expect(JSON.parse(errorBody(shape, 'page is wrong').body)).toEqual(expected);
	});

	it('is named by its traits on the command line', () => {
		expect(parseTraits('sla,by-day')).toEqual(['sla', 'by-day']);
		expect(parseTraits('all')).toEqual(Object.keys(GROWN_TRAITS));
		expect(() => parseTraits('sla,wings')).toThrow("no trait 'wings'");
		expect([...Object.keys(SHOWN_BY), 'same-url', 'error-details', 'case-webhooks'].sort()).toEqual(
			[...ALL_GROWN].sort(),
		);
	});
});

describe('The activity log', () => {
	const log = (edit: (store: CaseStore) => void) => {
		const store = storeWith(
			[{ tags: ['old'], assignees: [1], records: RECORDS, metadata: { a: '1' } }, {}],
			{ logsEdits: true },
		);
		edit(store);
		return store
			.getCase(1)
			.activities()
			.slice(1)
			.map(({ activity_type, value, user }) => [activity_type, value, user.user_id]);
	};

	it.each<[string, (store: CaseStore) => void, unknown[]]>([
		['of closing', (s) => s.closeCase(1, { user_id: 2 }), [['STATUS_UPDATED', 'CLOSED', 2]]],
		[
			'of a priority',
			(s) => s.updateCase(1, { priority: 'LOW' }),
			[['SEVERITY_UPDATED', 'LOW', 1]],
		],
		[
			'of a sub-status',
			(s) => s.updateCase(1, { sub_status: 'Waiting' }),
			[['SUB_STATUS_UPDATED', 'Waiting', 1]],
		],
		[
			'of tags',
			(s) => s.updateCase(1, { tags: ['new', 'newer'] }),
			[
				['TAGS_ADDED', 'new, newer', 1],
				['TAGS_REMOVED', 'old', 1],
			],
		],
		[
			'of assignees',
			(s) => s.updateCase(1, { assignees: [2], by: 3 }),
			[
				['ASSIGNED', 'bruno.okafor@example.com', 3],
				['UNASSIGNED', 'ana.lindqvist@example.com', 3],
			],
		],
		[
			'of metadata',
			(s) => s.updateCase(1, { metadata: { a: '2' } }),
			[['METADATA_UPDATED', '{"a":"2"}', 1]],
		],
		['of fields', (s) => s.updateCase(1, { fields: { x: 1 } }), [['FIELD_UPDATED', '{"x":1}', 1]]],
		['of links', (s) => s.updateCase(1, { linked_case_ids: [2] }), [['LINKED_CASE_ADDED', '2', 1]]],
		[
			'of records',
			(s) => s.updateCase(1, { records: [] }),
			[['RECORD_RESULT_SET_REMOVED', '5', 1]],
		],
		['of a new name', (s) => s.updateCase(1, { name: 'Other' }), []],
		[
			'of a deleted comment',
			(s) => s.deleteComment(1, s.addComment(1, 'Oops').id, { user_id: 2 }),
			[['DELETED_COMMENT', '', 2]],
		],
	])('has an entry %s', (_name, edit, expected) => {
		expect(log(edit)).toEqual(expected);
	});

	it('dates an entry like its edit', () => {
		const store = storeWith([{}], { logsEdits: true });
		store.updateCase(1, { priority: 'LOW', updated_at: '2026-02-01T00:00:00Z' });
		expect(store.getCase(1).activities().at(-1)?.created_at).toBe('2026-02-01T00:00:00Z');
	});

	it('is not written without the option', () => {
		const store = storeWith([{}]);
		store.closeCase(1);
		expect(store.getCase(1).activities()).toHaveLength(1);
	});
});
