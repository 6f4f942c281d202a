import { directService } from './direct';
import { ALL_GROWN, type GrownTrait } from './grown';
import type { CaseStore } from './store';
import { clientOf, NOW, storeWith } from './testSupport';

type Row = Record<string, unknown>;
type Answer = Record<'cases' | 'comments' | 'activities' | 'records' | 'actions', Row[]> & {
	meta: Row;
};

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
	const path = '/api/v2/cases/1/actions/batch';
	return {
		clock,
		store,
		serve,
		get,
		list,
		ids: (queryString: string) => list(queryString).cases.map(({ case_id }) => case_id),
		put: (actions: unknown[]) => serve({ method: 'PUT', path, body: { actions } }) as Answer,
	};
};
type World = ReturnType<typeof world>;

const filter = (name: string, ...values: string[]) =>
	values.map((value) => `filters[${name}][]=${value}`).join('&');

/** What only a service with the trait does. The strict one fails each of these. */
const SHOWN_BY: Record<Exclude<GrownTrait, 'case-webhooks'>, (service: World) => void> = {
	'page-size': ({ list }) => expect(list('per_page=500').meta).toMatchObject({ per_page: 500 }),
	'exclude-tags': ({ ids }) => {
		expect(ids(filter('exclude_tags', 'vip'))).toEqual([2, 3, 4]);
		expect(() => ids(filter('excluded_tags', 'vip'))).toThrow('excluded_tags');
	},
	'sub-status': ({ list, ids }) => {
		const names = list().cases.map(({ sub_status }) => (sub_status as Row).name);
		expect(names).toEqual(['New', 'Waiting', 'Done', 'New']);
		expect(ids(filter('sub_status_names', 'Waiting', 'Done'))).toEqual([2, 3]);
	},
	'user-filters': ({ ids }) => {
		expect(ids(filter('assignees', 'unassigned', '3'))).toEqual([3, 4]);
		expect(ids(filter('assignees', 'bruno.okafor@example.com'))).toEqual([1, 2]);
		expect(ids(filter('and_assignees', '1', '2'))).toEqual([1]);
		expect(ids(filter('exclude_assignees', '2'))).toEqual([3, 4]);
		expect(ids(filter('authors', 'bruno.okafor@example.com'))).toEqual([4]);
		expect(ids(filter('exclude_authors', '2'))).toEqual([1, 2, 3]);
	},
	'unknown-ignored': ({ ids }) => {
		expect(ids(`${filter('exclude_tags', 'vip')}&anything=1`)).toEqual([1, 2, 3, 4]);
		expect(() => ids('page=0')).toThrow('page');
	},
	'case-writes': ({ get }) => expect(get('/cases/1')).toMatchObject({ case_id: 1 }),
	'teams-and-tags': ({ serve }) =>
		expect(serve({ path: '/api/v1/tags' })).toMatchObject({ tags: [{ name: 'vip' }] }),
	'activity-kinds': ({ store, get }) => {
		store.updateCase(2, { status: 'CLOSED', by: 3 });
		expect(get('/cases/2/activities').activities.at(-1)).toMatchObject({
			activity_type: 'STATUS_UPDATED',
			value: 'CLOSED',
			user: { user_id: '3' },
			created_at: NOW,
		});
	},
	'further-fields': ({ clock, store, list, get, put }) => {
		clock.now += 5000;
		const file = { filename: 'log.txt', url: 'https://files.example/log.txt' };
		store.addActivity(1, 'FILE_ATTACHED', { file });
		const { cases, meta } = list('per_page=2');
		expect(cases[0]).toMatchObject({
			sla: { time_to_resolve: 5 },
			slas: [{ time_to_resolve: 5 }],
			actions: [{ action_text: 'Run a' }, {}],
			activities: [{ file: null }, { reactions: [] }, { file }],
		});
		expect(cases[1].fields).toEqual({ risk: 7 });
		expect(meta.next_page).toMatch(/^http:\/\/cases\.vanity\.example\/api\/v2\/cases\?.*page=2$/);
		expect(get('/cases/1/comments').comments[0].user).toMatchObject({ user_id: '1' });
		const query_params = { host: 'h1' };
		expect(put([{ ...BUTTONS[0], query_params }, BUTTONS[1]]).actions).toMatchObject([
			{ label: 'b' },
			{ label: 'a', page_emoji: null, query_params, case_id: 1 },
		]);
	},
	'meta-total': ({ list }) => {
		expect(list('per_page=3').meta).toMatchObject({ count: 4, next_page_number: 2 });
		expect(list('per_page=3&page=2').meta).toMatchObject({ count: 4, next_page_number: null });
	},
	'flat-records': ({ list, get }) => {
		const record = { id: 5, record_type_name: 'Host', results: [{ value: 'h1' }] };
		expect(list().cases[0].records).toMatchObject([record]);
		expect(get('/cases/1/records').records).toMatchObject([record]);
	},
	'by-day': ({ ids }) => {
		const day = 'filters[updated_at_start_date]=2026-01-31T23:00:00Z';
		expect(ids(`${day}&filters[updated_at_end_date]=2027-01-01T00:00:00Z`)).toHaveLength(4);
	},
};

describe('A grown service', () => {
	it.each(Object.entries(SHOWN_BY))(
		'shows the trait %s, and the strict one does not',
		(name, show) => {
			show(world([name as GrownTrait]));
			expect(() => show(world([]))).toThrow();
		},
	);

	it('has all traits at once, also when deviations end', async () => {
		const { sandbox, send, put } = await clientOf({ cases: 20, grown: true });
		sandbox.deviate({ list: { noMeta: true } });
		sandbox.deviate();
		const { json } = await send('/api/v2/cases?per_page=500&filters[anything]=1');
		expect(json.cases).toHaveLength(20);
		expect((await put('/api/v2/cases/1/actions/batch', {})).text).toMatch(/"details":/);
		sandbox.store.updateCase(1, { priority: 'CRITICAL', tags: [] });
		expect(sandbox.store.getCase(1).activities().at(-1)?.activity_type).toBe('TAGS_REMOVED');
		expect([...Object.keys(SHOWN_BY), 'case-webhooks'].sort()).toEqual([...ALL_GROWN].sort());
	});
});

describe('The activity log', () => {
	it.each<[string, (store: CaseStore) => void, unknown[]]>([
		['closing', (s) => s.closeCase(1, { user_id: 2 }), [['STATUS_UPDATED', 'CLOSED', 2]]],
		['priority', (s) => s.updateCase(1, { priority: 'LOW' }), [['SEVERITY_UPDATED', 'LOW', 1]]],
		[
			'tags',
			(s) => s.updateCase(1, { tags: ['new', 'newer'] }),
			[
				['TAGS_ADDED', 'new, newer', 1],
				['TAGS_REMOVED', 'old', 1],
			],
		],
		[
			'assignees',
			(s) => s.updateCase(1, { assignees: [2], by: 3 }),
			[
				['ASSIGNED', 'bruno.okafor@example.com', 3],
				['UNASSIGNED', 'ana.lindqvist@example.com', 3],
			],
		],
		['metadata', (s) => s.updateCase(1, { metadata: {} }), [['METADATA_UPDATED', '{}', 1]]],
		['fields', (s) => s.updateCase(1, { fields: { x: 1 } }), [['FIELD_UPDATED', '{"x":1}', 1]]],
		['records', (s) => s.updateCase(1, { records: [] }), [['RECORD_RESULT_SET_REMOVED', '5', 1]]],
		['name', (s) => s.updateCase(1, { name: 'Other' }), []],
		[
			'a deleted comment',
			(s) => s.deleteComment(1, s.addComment(1, 'Oops').id, { user_id: 2 }),
			[['DELETED_COMMENT', '', 2]],
		],
	])('has an entry of an edit: %s', (_name, edit, expected) => {
		const first = { tags: ['old'], assignees: [1], records: RECORDS, metadata: { a: '1' } };
		const store = storeWith([first], { logsEdits: true });
		edit(store);
		const log = store.getCase(1).activities().slice(1);
		expect(log.map((one) => [one.activity_type, one.value, one.user.user_id])).toEqual(expected);
	});

	it('is not written without the option', () => {
		const store = storeWith([{}]);
		store.closeCase(1);
		expect(store.getCase(1).activities()).toHaveLength(1);
	});
});
