import { eventsOf, failureOf, useTrigger } from './trigger';

const setUp = useTrigger();

describe('the events of a poll', () => {
	it('reports created, updated, closed and commented-on cases in the order of change', async () => {
		const { store, published, later } = await setUp();
		store.createCase({ case_id: 1 });
		store.createCase({ case_id: 2 });
		later(60);
		const poller = await published();
		store.createCase({ case_id: 3, name: 'New' });
		later(10);
		store.updateCase(1, { priority: 'HIGH' });
		later(10);
		store.closeCase(2);
		later(10);
		const comment = store.addComment(1, 'On it');
		const items = await poller.poll();
		expect(items?.map(({ json }) => json)).toEqual([
			expect.objectContaining({ event: 'caseCreated', case_id: 3, name: 'New', status: 'OPEN' }),
			expect.objectContaining({ event: 'caseUpdated', case_id: 1, priority: 'HIGH' }),
			expect.objectContaining({ event: 'caseClosed', case_id: 2, status: 'CLOSED' }),
			expect.objectContaining({
				event: 'commentAdded',
				case_id: 1,
				priority: 'HIGH',
				comment: expect.objectContaining({ comment_id: comment.id, text: 'On it' }),
			}),
		]);
		expect(await poller.poll()).toBeNull();
	});

	it.each([
		[['caseCreated'], ['caseCreated 2']],
		[['caseUpdated'], ['caseUpdated 1']],
		[['caseClosed'], ['caseClosed 2']],
		[
			['caseUpdated', 'caseCreated'],
			['caseUpdated 1', 'caseCreated 2'],
		],
		[['commentAdded'], ['commentAdded 1']],
	])('reports only the chosen events: %j', async (events, expected) => {
		const { store, published, later } = await setUp();
		store.createCase({ case_id: 1 });
		const poller = await published({ events });
		store.updateCase(1, { name: 'Renamed' });
		store.addComment(1, 'Done');
		later(10);
		store.createCase({ case_id: 2 });
		store.closeCase(2);
		expect(await eventsOf(poller)).toEqual(expected);
	});

	it('reports a case created and closed between two polls as both, created first', async () => {
		const { store, published, later } = await setUp();
		const poller = await published();
		store.createCase({ case_id: 1 });
		later(10);
		store.closeCase(1);
		expect(await eventsOf(poller)).toEqual(['caseCreated 1', 'caseClosed 1']);
		later(10);
		store.reopenCase(1);
		expect(await eventsOf(poller)).toEqual(['caseUpdated 1']);
		later(10);
		store.closeCase(1);
		expect(await eventsOf(poller)).toEqual(['caseClosed 1']);
	});

	it('reports an old case that matches the filters only now as updated', async () => {
		const { store, published, later } = await setUp();
		store.createCase({ case_id: 1, priority: 'LOW' });
		later(60);
		const poller = await published({ filters: { priority: 'CRITICAL' } });
		store.createCase({ case_id: 2, priority: 'LOW' });
		store.updateCase(1, { priority: 'CRITICAL' });
		expect(await eventsOf(poller)).toEqual(['caseUpdated 1']);
	});
});

describe('the output', () => {
	const OWN = ['event', 'event_id', 'event_time'];
	const SIMPLIFIED = [
		'case_id',
		'name',
		'status',
		'priority',
		'team',
		'assignees',
		'tags',
		'url',
	].concat(['created_at', 'updated_at', 'resolved_at']);

	it.each([
		['changed', {}],
		['given by ID', { case_ids: '1' }],
	])('has one shape for all events, with comments of cases that are %s', async (_how, filters) => {
		const { store, published, later } = await setUp();
		store.createCase({ case_id: 1 });
		const poller = await published({ filters });
		store.updateCase(1, { name: 'Renamed' });
		later(10);
		const { id, user, created_at } = store.addComment(1, 'On it');
		const items = (await poller.poll()) ?? [];
		const [updated, commented] = items.map(({ json }) => json);
		expect(Object.keys(updated)).toEqual([...OWN, ...SIMPLIFIED]);
		expect(commented).toEqual({
			...updated,
			event: 'commentAdded',
			event_id: `commentAdded-1-${id}`,
			event_time: created_at,
			comment: {
				comment_id: id,
				text: 'On it',
				author: `${user.first_name} ${user.last_name}`,
				author_email: user.email,
				is_service_account: false,
				created_at,
			},
		});
		expect(Object.keys(commented)).toEqual([...OWN, ...SIMPLIFIED, 'comment']);
	});

	it.each([
		[
			'selected',
			['event', 'event_id', 'event_time', 'case_id', 'metadata', 'comment'],
			['comment_id', 'text', 'author'],
		],
		[
			'raw',
			['event', 'activities', 'records_meta', 'comment'],
			['id', 'value', 'user', 'reactions'],
		],
	])('has with Output %s the fields %j, and in a comment %j', async (output, fields, ofComment) => {
		const { store, published } = await setUp();
		store.createCase({ case_id: 1 });
		const poller = await published({
			events: ['commentAdded'],
			filters: { case_ids: '1' },
			parameters: { output, fields: ['metadata'] },
		});
		store.addComment(1, 'On it');
		const [{ json }] = (await poller.poll()) ?? [];
		const names = Object.keys(json);
		expect(names).toEqual(expect.arrayContaining(fields));
		expect([names[0], names.at(-1)]).toEqual(['event', 'comment']);
		if (output === 'selected') expect(names).toEqual(fields);
		expect(Object.keys(json.comment as object)).toEqual(expect.arrayContaining(ofComment));
		expect(json.comment).not.toHaveProperty('case_id');
	});

	it('keeps the event where a case has a field of that name', async () => {
		const { sandbox, store, published } = await setUp();
		const poller = await published({ events: ['caseCreated'], parameters: { output: 'raw' } });
		const { created_at, updated_at } = store.createCase({ case_id: 1 });
		const row = { case_id: 1, event: 'fire', created_at, updated_at };
		const body = JSON.stringify({ cases: [row], meta: { pages: 1 } });
		sandbox.faults.add({ fault: { kind: 'raw', status: 200, body } });
		const [{ json }] = (await poller.poll()) ?? [];
		expect(json).toEqual({
			...row,
			event: 'caseCreated',
			event_id: 'caseCreated-1',
			event_time: created_at,
		});
		expect(Object.keys(json)[0]).toBe('event');
	});
});

describe('the ID of an event', () => {
	it('differs for each event of a case in one second, and is the same when it is read again', async () => {
		const { store, published, trigger } = await setUp();
		const events = ['caseCreated', 'caseUpdated', 'caseClosed', 'commentAdded', 'activityAdded'];
		const poller = await published({ events });
		const before = poller.saved();
		const idsOf = async (polled: typeof poller) =>
			((await polled.poll()) ?? []).map(({ json }) => json.event_id as string);
		store.createCase({ case_id: 1 });
		store.closeCase(1);
		store.addComment(1, 'On it');
		const ids = await idsOf(poller);
		expect(ids).toHaveLength(5);
		const again = await trigger({ staticData: before, activation: 'init', events });
		expect(await idsOf(again)).toEqual(ids);
		store.updateCase(1, { name: 'Renamed' });
		const all = [...ids, ...(await idsOf(poller))];
		store.updateCase(1, { name: 'Renamed again' });
		all.push(...(await idsOf(poller)));
		expect(all).toHaveLength(7);
		expect(new Set(all).size).toBe(7);
	});
});

describe('the event Activity Added', () => {
	it('reports each new activity of a case once, also those that it does not carry itself', async () => {
		const { store, published, later } = await setUp({ detailsPerPage: 2, commentsTouchCase: true });
		store.createCase({ case_id: 1 });
		store.addComment(1, 'Before');
		const poller = await published({ events: ['activityAdded'] });
		for (const text of ['a', 'b', 'c']) store.addComment(1, text);
		const items = (await poller.poll()) ?? [];
		expect(items.map(({ json }) => json.activity)).toEqual(
			['a', 'b', 'c'].map((value) =>
				expect.objectContaining({ activity_type: 'COMMENTED', value, user: expect.any(String) }),
			),
		);
		later(120);
		expect(await poller.poll()).toBeNull();
	});

	it('reports those of the chosen types alone', async () => {
		const { store, published } = await setUp();
		const poller = await published({
			events: ['activityAdded'],
			parameters: { activityTypes: ['commented'] },
		});
		store.createCase({ case_id: 1 });
		const { id } = store.addComment(1, 'On it');
		const [{ json }, ...others] = (await poller.poll()) ?? [];
		expect(json).toMatchObject({
			event: 'activityAdded',
			event_id: `activityAdded-1-${id}`,
			activity: { activity_id: id, activity_type: 'COMMENTED' },
		});
		expect(others).toEqual([]);
	});
});

describe('a test run in the editor', () => {
	const testRun = { mode: 'manual', activation: 'manual' } as const;

	it('shows the newest matching case and leaves the static data unchanged', async () => {
		const { store, trigger, later } = await setUp();
		for (const priority of ['HIGH', 'HIGH', 'LOW'] as const) {
			store.createCase({ priority });
			later(10);
		}
		const poller = await trigger({
			...testRun,
			events: ['caseCreated'],
			filters: { priority: 'HIGH' },
		});
		expect(await eventsOf(poller)).toEqual(['caseCreated 2']);
		expect(poller.snapshot()).toEqual({});
		expect(poller.workflowSnapshot()).toEqual({});
	});

	it('shows one example of each chosen event, the newest, in the order of the events', async () => {
		const { store, trigger, later } = await setUp();
		for (const status of ['CLOSED', 'OPEN', 'CLOSED'] as const) {
			const { case_id } = store.createCase({ status });
			store.addComment(case_id, 'Please look');
			later(10);
		}
		store.updateCase(1, { name: 'Renamed' });
		later(10);
		for (let id = 4; id <= 15; id++) {
			store.createCase({ case_id: id });
			later(1);
		}
		store.updateCase(2, { name: 'Renamed' });
		const events = ['caseClosed', 'caseCreated', 'commentAdded', 'caseUpdated'];
		expect(await eventsOf(await trigger({ ...testRun, events }))).toEqual([
			'caseCreated 15',
			'caseUpdated 2',
			'caseClosed 1',
			'commentAdded 3',
		]);
	});

	it('has items of the shape that a published trigger returns', async () => {
		const { store, trigger, published, later } = await setUp();
		const poller = await published();
		store.createCase({ case_id: 1 });
		store.closeCase(1);
		store.addComment(1, 'Done');
		const items = (await poller.poll()) ?? [];
		later(60);
		const examples = (await (await trigger(testRun)).poll()) ?? [];
		expect(examples).toEqual(expect.arrayContaining(items));
		expect(examples).toHaveLength(items.length + 1);
	});

	it('finds comments on any of the twenty cases edited last', async () => {
		const { store, trigger, later } = await setUp();
		for (let id = 1; id <= 21; id++) {
			store.createCase({ case_id: id });
			later(10);
		}
		store.addComment(1, 'Not among the twenty');
		store.addComment(2, 'The last of them');
		const poller = await trigger({ ...testRun, events: ['commentAdded'] });
		expect(await eventsOf(poller)).toEqual(['commentAdded 2']);
	});

	it.each([
		['no case matches', ['caseCreated', 'caseClosed'], { priority: 'LOW' }],
		['no case is closed', ['caseClosed'], {}],
		['no case has a comment', ['commentAdded'], {}],
	])(
		'fails when %s, and says that the workflow can be published',
		async (_why, events, filters) => {
			const { store, trigger } = await setUp();
			store.createCase({ case_id: 1, priority: 'HIGH' });
			const error = await failureOf(await trigger({ ...testRun, events, filters }));
			expect(error.message).toBe('Nothing to show yet');
			expect(error.description).toContain('Publish the workflow anyway');
		},
	);
});
