import type { CaseStore } from './store';
import { clientOf, NOW, storeWith } from './testSupport';

const RECORDS = [
	{
		record_type_id: 1,
		record_type_name: 'Host',
		record_type_record_results: [
			{ id: 5, results: [{ id: 6, name: 'name', value: 'h1' }], created_at: NOW },
		],
	},
];

// Each trait by itself is seen by a check of a tenant or by an operation of the nodes.
it('A grown service has all traits at once, also when the groups of deviations end', async () => {
	const clock = { now: NOW };
	const fields = [{ id: 1, input_id: 34, value: '7' }];
	const store = storeWith([{ records: RECORDS, fields }, {}], {
		now: () => new Date(clock.now),
	});
	clock.now = '2026-01-31T12:00:05Z';
	const { sandbox, send, put } = await clientOf({ store, grown: true });
	sandbox.deviate({ list: { noMeta: true } });
	sandbox.deviate({ clock: { noDate: true } });
	const deviating = await send('/api/v2/cases');
	expect([deviating.json.meta, deviating.headers.get('date')]).toEqual([undefined, null]);
	sandbox.deviate();
	const { json } = await send('/api/v2/cases?per_page=500&filters[anything]=1&order=CREATED_ASC');
	expect(json.meta).toMatchObject({ per_page: 500, count: 2, next_page_number: null });
	expect(json.meta.current_page).toMatch(/^http:\/\/cases\.vanity\.example\/api\/v2\/cases\?/);
	expect(json.cases[0]).toMatchObject({
		sub_status: { name: 'New' },
		fields: [{ id: 1, value: '7', case_input: { id: 34, key: 'risk_score' } }],
		sla: { time_to_resolve: 5 },
		slas: [{ time_to_resolve: 5 }],
		activities: [{ file: null, reactions: [] }],
		records: [{ id: 5, record_type_name: 'Host', results: [{ value: 'h1' }] }],
	});
	expect((await put('/api/v2/cases/1/actions/batch', {})).text).toMatch(/"details":/);
});

it.each<[string, (store: CaseStore) => void, unknown[]]>([
	['closing', (s) => s.closeCase(1), [['STATUS_UPDATED', 'CLOSED', 1]]],
	[
		'assignees',
		(s) => s.updateCase(1, { assignees: [2], by: 3 }),
		[
			['ASSIGNED', 'bruno.okafor@example.com', 3],
			['UNASSIGNED', 'ana.lindqvist@example.com', 3],
		],
	],
	['tags', (s) => s.updateCase(1, { tags: ['a', 'b'] }), [['TAGS_ADDED', 'a, b', 1]]],
	['metadata', (s) => s.updateCase(1, { metadata: {} }), [['METADATA_UPDATED', '{}', 1]]],
	[
		'fields',
		(s) => s.updateCase(1, { fields: [{ id: 1, input_id: 34, value: '7' }] }),
		[['FIELD_UPDATED', '[[34,"7"]]', 1]],
	],
	['records', (s) => s.updateCase(1, { records: [] }), [['RECORD_RESULT_SET_REMOVED', '5', 1]]],
	['name', (s) => s.updateCase(1, { name: 'Other' }), []],
])('The activity log has entries of an edit: %s', (_name, edit, expected) => {
	const logOf = (logsEdits: boolean) => {
		const first = { assignees: [1], records: RECORDS, metadata: { a: '1' } };
		const store = storeWith([first], { logsEdits });
		edit(store);
		return store.getCase(1).activities().slice(1);
	};
	const entries = logOf(true).map((one) => [one.activity_type, one.value, one.user.user_id]);
	expect(entries).toEqual(expected);
	expect(logOf(false)).toEqual([]);
});
