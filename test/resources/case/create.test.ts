import { byId, failureOf, hintsOf, pairsOf, rowsOf } from '../../support/runs';
import { useService, type RunOptions } from '../../support/service';
import { runAsTool } from '../../support/tool';

const service = useService({ cases: 5, grown: ['case-writes'] });

const create = async (parameters: object = {}, options: RunOptions = {}) =>
	await service.run(
		{ resource: 'case', operation: 'create', teamId: byId(1), name: 'New', ...parameters },
		options,
	);
const bodies = () => service.sandbox.requests.map(({ body }) => body);
const LOOKED_FOR = /check whether there is a case named "New".* may still arrive/;

describe('Case: Create', () => {
	it('sends team and name alone, once, and returns the case', async () => {
		const rows = rowsOf(await create());
		expect(service.paths()).toEqual(['POST /api/v2/cases']);
		expect(bodies()).toEqual([{ team_id: 1, name: 'New' }]);
		const { store, url } = service.sandbox;
		const made = { name: 'New', team: 'SOC', url: `${url}/cases/${store.size}`, changed: true };
		expect(rows).toMatchObject([made]);
		expect(store.getCase(store.size).name).toBe('New');
	});

	it('sends every field that was added, as the API wants it', async () => {
		const additionalFields = {
			description: '**Bold**',
			priority: 'High',
			status: 'OPEN',
			assignee_emails: 'ana.lindqvist@example.com, bruno.okafor@example.com',
			tag_names: ' vip, new ',
			metadata: { pair: [{ key: 'alert_id', value: 'a-1' }] },
			field_values: { pair: [{ key: '31', value: 'x' }] },
			opened_at: '2026-01-31T09:00:00+02:00',
			template_id: '7',
			author_email: 'bruno.okafor@example.com',
		};
		rowsOf(await create({ teamId: 2, additionalFields }));
		expect(bodies()).toEqual([
			{
				...additionalFields,
				team_id: 2,
				name: 'New',
				priority: 'high',
				status: 'open',
				assignee_emails: ['ana.lindqvist@example.com', 'bruno.okafor@example.com'],
				tag_names: ['vip', 'new'],
				metadata: { alert_id: 'a-1' },
				field_values: { 31: 'x' },
				opened_at: '2026-01-31T07:00:00Z',
				template_id: 7,
			},
		]);
	});

	it('takes lists by expression, and leaves out what is empty', async () => {
		const item = { tags: ['with, comma', 2026], people: [] };
		const additionalFields = {
			tag_names: '={{ $json.tags }}',
			description: "={{ $json.nothing ?? '' }}",
			priority: '={{ "" }}',
			assignee_emails: '={{ $json.people }}',
			opened_at: '',
			template_id: 'triage',
			metadata: {
				pair: [
					{ key: 'a', value: "={{ '' }}" },
					{ key: 'b', value: '1' },
				],
			},
		};
		rowsOf(await create({ additionalFields }, { items: [item] }));
		const sent = {
			metadata: { b: '1' },
			tag_names: ['with, comma', '2026'],
			assignee_emails: [],
			template_id: 'triage',
		};
		expect(bodies()).toEqual([{ team_id: 1, name: 'New', ...sent }]);
	});

	it('as a tool of an agent, sends no field that the model leaves empty', async () => {
		const additionalFields = {
			description: '',
			assignee_emails: '[]',
			tag_names: '[]',
			metadata: { pair: [{ key: 'alert_id', value: '' }] },
			field_values: { pair: [{ key: '31', value: 'x' }] },
		};
		const parameters = { resource: 'case', operation: 'create', teamId: byId(1), name: 'New' };
		await runAsTool({ ...parameters, additionalFields }, service.credential());
		expect(bodies()).toEqual([{ team_id: 1, name: 'New', field_values: { 31: 'x' } }]);
	});

	it.each<[string, object, RegExp]>([
		['no team', { teamId: byId("={{ '' }}") }, /No team ID was given/],
		['a team that is none', { teamId: byId('SOC') }, /'Team': "SOC" is not a team ID/],
		['no name', { name: ' ' }, /No name was given/],
		[
			'no value',
			{ additionalFields: { priority: '={{ $json.nope }}' } },
			/^'Priority' has an expression that returns no value$/,
		],
		[
			'half an emoji',
			{ name: '={{ "Host down 🔥".slice(0, 11) }}' },
			/^'Name': "Host down \ufffd" contains a broken character$/,
		],
		[
			'an empty pair',
			{ additionalFields: { metadata: { pair: [{}] } } },
			/^'Metadata': the pair is empty$/,
		],
		['a bad email', { additionalFields: { assignee_emails: 'ada' } }, /"ada" is not an email/],
		['a date that is none', { additionalFields: { opened_at: 'soon' } }, /"soon" is not a date/],
		['one expression for all', { additionalFields: '={{ ({}) }}' }, /can't be set by one expr/],
	])('refuses %s before any request', async (_name, parameters, message) => {
		expect(failureOf(await create(parameters)).message).toMatch(message);
		expect(service.paths()).toEqual([]);
	});

	it('checks all items before the first is created', async () => {
		const items = [{ name: 'a' }, { name: '' }];
		const { message, item } = failureOf(await create({ name: '={{ $json.name }}' }, { items }));
		expect([message, item, service.paths()]).toEqual(['No name was given', 1, []]);
	});

	it('gives a failed item to Continue On Fail, and creates the others', async () => {
		const items = [{ team: 1 }, { team: 99 }, { team: '' }, { team: 2 }];
		const teamId = byId('={{ $json.team }}');
		const run = await create({ teamId }, { items, onError: 'continueRegularOutput' });
		const shown = rowsOf(run).map(({ team, error }) => team ?? String(error).slice(0, 9));
		expect(shown).toEqual(['SOC', 'Team 99 n', 'No team I', 'IT']);
		expect(pairsOf(run)).toEqual([[0], [1], [2], [3]]);
	});

	it('previews what would be sent, without a request', async () => {
		const given = { name: 'New', additionalFields: { priority: 'HIGH' } };
		const run = await create({ ...given, options: { previewOnly: true } });
		const after = { team_id: 1, name: 'New', priority: 'high' };
		expect(rowsOf(run)).toEqual([{ changed: true, before: null, after }]);
		expect(hintsOf(run)).toEqual([expect.stringContaining('Preview only')]);
		expect(service.paths()).toEqual([]);
	});

	it('says of a team that it may be out of reach', async () => {
		const credential = { apiKey: service.sandbox.keys.team };
		const { message, description } = failureOf(await create({ teamId: byId(2) }, { credential }));
		expect(message).toBe('Team 2 not found, or the API key has no access to it (404)');
		expect(description).toMatch(/Check the ID of the case or team, .* what the key can see/);
		expect(description).toMatch(/the service may not support this request/);
	});

	it.each([400, 422])(
		"shows the service's own words by field where it answers %i",
		async (status) => {
			const body = { errors: { name: ['is too long', 'is odd'], tag_names: ["can't be new"] } };
			service.sandbox.faults.add({ fault: { kind: 'status', status, body } });
			const { message, description } = failureOf(await create());
			expect(message).toMatch(new RegExp(`rejected .*\\(${status}\\)$`));
			expect(description).toMatch(
				/says: name: is too long; name: is odd; tag_names: can't be new\./,
			);
			expect(description).not.toMatch(LOOKED_FOR);
		},
	);

	it.each<[string, object]>([
		['drops the connection', { kind: 'drop' }],
		['creates it and drops the connection', { kind: 'drop', applied: true }],
		['breaks off in the answer', { kind: 'reset' }],
		['answers with a page', { kind: 'html' }],
		['answers with 500', { kind: 'status', status: 500 }],
		['answers with 503', { kind: 'status', status: 503, applied: true }],
		['answers with another thing', { kind: 'raw', status: 201, body: '{"id":1}' }],
	])('sends one request to a service that %s, and says what to look for', async (_name, fault) => {
		service.sandbox.faults.add({ fault: fault as never });
		const { message, description } = failureOf(await create());
		expect(service.paths()).toEqual(['POST /api/v2/cases']);
		expect(message).toBeTruthy();
		expect(description).toMatch(LOOKED_FOR);
	});

	it.each([
		[429, undefined],
		[429, 1],
		[503, 1],
	])(
		'is retried after %i with Retry-After %s: the service took nothing',
		async (status, retryAfter) => {
			service.sandbox.faults.add({ fault: { kind: 'status', status, retryAfter } });
			rowsOf(await create());
			expect(service.paths()).toEqual(['POST /api/v2/cases', 'POST /api/v2/cases']);
		},
	);

	it('reports what was created before a failure ended the run', async () => {
		service.sandbox.faults.add({ match: { nth: 2 }, fault: { kind: 'drop', applied: true } });
		const items = ['New', 'New', 'New'].map((name) => ({ name }));
		const next = service.sandbox.store.size + 1;
		const run = await create({ options: { concurrency: 1 } }, { items });
		const { item, description } = failureOf(run);
		expect(item).toBe(1);
		expect(description).toContain(
			`Perhaps written: item 1. Written: item 0 (case ${next}). Not started: item 2.`,
		);
	});

	it('returns what Output says', async () => {
		const [raw] = rowsOf(await create({ output: 'raw' }));
		expect(raw).toMatchObject({ description: null, author: {}, changed: true });
		const [selected] = rowsOf(await create({ output: 'selected', fields: ['priority'] }));
		expect(selected).toEqual({
			case_id: expect.any(Number) as number,
			priority: 'MEDIUM',
			changed: true,
		});
	});
});
