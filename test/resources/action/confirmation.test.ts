import { byId, failureOf, hintsOf, rowsOf } from '../../support/runs';
import { useService } from '../../support/service';

const service = useService({ cases: 5 });
const OLD = { url: 'https://example.com/old', label: 'Old', action_type: 'page' as const };
const NEW = { url: 'https://example.com/new', label: 'New', action_type: 'webhook' as const };

beforeEach(() => {
	service.sandbox.deviate();
	service.sandbox.store.replaceActions(1, [OLD], { updated_at: '2026-01-20T00:00:00Z' });
});

const replace = {
	resource: 'action',
	operation: 'replace',
	caseId: byId('1'),
	actionsFrom: 'json',
	actionsJson: JSON.stringify([NEW]),
	options: { maxRetries: 0 },
};

/** The service carries the write out and answers with this. */
const answerWrites = (body: unknown, status = 200) =>
	service.sandbox.faults.add({
		match: { method: 'PUT' },
		fault: { kind: 'raw', status, body: JSON.stringify(body), applied: true },
	});

it('A write that is answered for another case is not confirmed', async () => {
	answerWrites({ case_id: 99, actions: [NEW] });
	expect(failureOf(await service.run(replace))).toMatchObject({
		message: 'The service did not confirm the actions of case 1',
		description: expect.stringMatching(/It answered about case 99\..*Perhaps written: case 1\./),
	});
});

it('A write that is answered without actions shows what the service says', async () => {
	answerWrites({ error: 'The case is closed: nothing saved' });
	expect(failureOf(await service.run(replace)).description).toContain(
		'The service says: The case is closed: nothing saved.',
	);
});

it.each<[string, number, unknown, RegExp]>([
	['other actions', 200, { actions: [] }, /case 1, .* It answered with other actions\. Check/],
	[
		'the error of an action',
		207,
		{ actions: [], errors: [{ message: 'url is blocked' }] },
		/It says: url is blocked\./,
	],
])(
	'A write that is answered with %s is uncertain, with a hint',
	async (_what, status, body, hint) => {
		answerWrites(body, status);
		const run = await service.run(replace);
		expect(rowsOf(run)).toEqual([{ case_id: '1', actions: [], changed: null }]);
		expect(hintsOf(run)).toEqual([expect.stringMatching(hint)]);
	},
);

it.each([
	['another type', { action_type: 'page' }],
	['another text', { action_text: 'Go away' }],
	['no text', { action_text: null }],
])('A write that is answered with %s of an action is uncertain', async (_what, altered) => {
	const given = { ...NEW, action_text: 'Go' };
	answerWrites({ actions: [{ ...given, ...altered }] });
	const run = await service.run({ ...replace, actionsJson: JSON.stringify([given]) });
	expect(rowsOf(run)).toMatchObject([{ changed: null }]);
	expect(hintsOf(run)).toEqual([expect.stringContaining('It answered with other actions.')]);
});

it('A write is certain where the service adds a text of its own to an action without one', async () => {
	answerWrites({ actions: [{ ...NEW, action_text: 'Run' }] });
	const run = await service.run(replace);
	expect(rowsOf(run)).toMatchObject([{ changed: true }]);
	expect(hintsOf(run)).toEqual([]);
});

describe('A write that is answered with the IDs of its actions alone', () => {
	it('is read back', async () => {
		answerWrites({ actions: [{ id: 1 }] });
		const run = await service.run(replace);
		expect(rowsOf(run)).toMatchObject([{ case_id: 1, actions: [NEW], changed: true }]);
		expect(service.sandbox.requests.map(({ method }) => method)).toEqual(['PUT', 'GET']);
		expect(hintsOf(run)).toEqual([]);
	});

	it('is uncertain where the list has no more', async () => {
		answerWrites({ actions: [{ id: 1 }] });
		service.sandbox.deviate({ actions: { inRows: 'ids' } });
		const run = await service.run(replace);
		expect(rowsOf(run)).toMatchObject([{ actions: [{ id: expect.any(Number) }], changed: null }]);
		expect(hintsOf(run)).toEqual([expect.stringContaining("doesn't say which actions")]);
	});
});

it('How many actions an uncertain write has removed is unknown', async () => {
	answerWrites({ actions: [OLD] });
	const run = await service.run({ ...replace, operation: 'clear' });
	expect(rowsOf(run)).toMatchObject([{ changed: null, removed: null }]);
});

it('A write that is answered with a redirect may have been carried out', async () => {
	answerWrites({}, 303);
	expect(failureOf(await service.run(replace))).toMatchObject({
		message: 'The service redirects to another address (303)',
		description: expect.stringMatching(
			/may have carried out the write\. Perhaps written: case 1\./,
		),
	});
});

it('A write is certain where the service tidies the URL, the label and the order', async () => {
	const tidied = [{ ...NEW, url: 'https://EXAMPLE.com/new' }, OLD];
	answerWrites({ case_id: '1', actions: tidied });
	const given = JSON.stringify([OLD, NEW]);
	const run = await service.run({ ...replace, actionsJson: given });
	expect(rowsOf(run)).toMatchObject([{ changed: true }]);
	expect(hintsOf(run)).toEqual([]);
});

describe.each([200, 202, 204])('A write that is answered with %i and no body', (status) => {
	beforeEach(() => {
		const fault = { kind: 'raw', status, body: '', applied: true } as const;
		service.sandbox.faults.add({ match: { method: 'PUT' }, fault });
	});

	it('is done, and read back', async () => {
		const run = await service.run(replace);
		expect(rowsOf(run)).toMatchObject([{ case_id: 1, actions: [NEW], changed: true }]);
		expect(service.sandbox.requests.map(({ method }) => method)).toEqual(['PUT', 'GET']);
		expect(hintsOf(run)).toEqual([]);
	});

	it('is uncertain where the list still has the old actions', async () => {
		const old = { list: 'cases', path: 'actions', value: [OLD] } as const;
		service.sandbox.deviate({ rows: { fields: [old] } });
		const run = await service.run(replace);
		expect(rowsOf(run)).toMatchObject([{ case_id: 1, actions: null, changed: null }]);
		expect(hintsOf(run)).toEqual([expect.stringContaining('the case had other actions.')]);
	});

	it('is done where the case cannot be read back', async () => {
		service.sandbox.faults.add({
			match: { method: 'GET' },
			fault: { kind: 'status', status: 500 },
		});
		const run = await service.run(replace);
		expect(rowsOf(run)).toEqual([{ case_id: '1', actions: null, changed: null }]);
		expect(hintsOf(run)).toEqual([expect.stringContaining('could not be read back')]);
	});
});
