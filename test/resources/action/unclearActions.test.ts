import type { FaultRule } from '../../../sandbox';
import { byId, failureOf, itemsWith, listed, OF_ITEM, rowsOf } from '../../support/runs';
import { useService } from '../../support/service';

const service = useService({ cases: 5, grown: ['action-fields', 'actions-list'] });

const at = (id: number) => ({
	id,
	url: `https://example.com/${id}`,
	label: `L${id}`,
	action_type: 'webhook',
});
const NEW = { url: 'https://example.com/new', label: 'New', action_type: 'webhook' };

const answer = (path: string, body: object): FaultRule => ({
	match: { method: 'GET', path },
	times: 99,
	fault: { kind: 'raw', status: 200, body: JSON.stringify(body) },
});
const meta = { pages: 1, per_page: 50 };
const row = (actions: object[], further: object = {}) =>
	service.sandbox.faults.add(listed({ case_id: 1, actions, ...further }));
const ownList = (actions: object[]) =>
	service.sandbox.faults.add(answer('/cases/1/actions$', { case_id: 1, actions, meta }));

const upsert = (given: object, options: object = { readButtonTexts: true }) =>
	service.run({
		resource: 'action',
		operation: 'upsert',
		caseId: byId('1'),
		actionsFrom: 'json',
		actionsJson: JSON.stringify([given]),
		options,
	});
const written = () =>
	service.sandbox.requests
		.filter(({ method }) => method === 'PUT')
		.map(({ body }) => (body as { actions: unknown }).actions);

const sent = ({ url, label, action_type, action_text, query_params }: Record<string, unknown>) => ({
	url,
	label,
	action_type,
	action_text,
	query_params,
});

it('Create or Update keeps an action that only the case’s own list has', async () => {
	row([at(1)]);
	ownList([at(1), { ...at(2), action_text: 'Go' }].map((one) => ({ action_text: 'Hi', ...one })));
	rowsOf(await upsert(NEW));
	expect(written()).toEqual([
		[{ ...sent(at(1)), action_text: 'Hi' }, { ...sent(at(2)), action_text: 'Go' }, NEW],
	]);
});

it('Actions that only the case’s own list has are kept also where the row has none', async () => {
	row([]);
	ownList([{ ...at(1), action_text: 'Hi' }]);
	rowsOf(await upsert(NEW));
	expect(written()).toEqual([[{ ...sent(at(1)), action_text: 'Hi' }, NEW]]);
});

it('A case’s own list with fewer actions than it states is refused', async () => {
	row([]);
	const less = { pages: 1, per_page: 50, count: 3 };
	const body = { case_id: 1, actions: [at(1), at(2)], meta: less };
	service.sandbox.faults.add(answer('/cases/1/actions$', body));
	expect(failureOf(await upsert(NEW)).message).toBe(
		"The case's own list may not have all actions of case 1",
	);
	expect(written()).toEqual([]);
});

it.each([
	['list of cases', '/cases$', { cases: [{ case_id: 1, actions: [] }], meta }],
	['case’s own list', '/cases/1/actions$', { case_id: 1, actions: [], meta }],
])('Actions that come with an error in the %s are not taken for none', async (_of, path, body) => {
	service.sandbox.faults.add(answer(path, { ...body, errors: ['Actions timed out'] }));
	row([]);
	expect(failureOf(await upsert(NEW))).toMatchObject({
		message: 'The service answered with an error',
		description: expect.stringContaining('It says: Actions timed out. Run again.'),
	});
	expect(written()).toEqual([]);
});

it('Another case’s own list is refused', async () => {
	row([]);
	service.sandbox.faults.add(answer('/cases/1/actions$', { case_id: 2, actions: [at(1)], meta }));
	expect(failureOf(await upsert(NEW)).message).toBe(
		'The service answered with the actions of another case',
	);
	expect(written()).toEqual([]);
});

it('Read Button Texts writes no text of another action with the same ID', async () => {
	row([at(1), at(2)]);
	ownList([
		{ ...at(2), id: 1, action_text: 'Delete host' },
		{ ...at(1), id: 2, action_text: 'Hello' },
	]);
	expect(failureOf(await upsert(NEW)).message).toMatch(/have different actions of case 1: "L1"/);
	expect(written()).toEqual([]);
});

it.each([
	['no query_params', { action_text: 'Go' }],
	['a text that is null', { action_text: null, query_params: null }],
])(
	'Read Button Texts requests the case’s own list where an action has %s',
	async (_what, fields) => {
		const full = { ...at(1), action_text: 'Go', query_params: { a: '1' } };
		row([{ ...at(1), ...fields }]);
		ownList([full]);
		rowsOf(await upsert(NEW));
		expect(written()).toEqual([[sent(full), NEW]]);
	},
);

it('Create or Update keeps the text and query_params of an action unless others are given', async () => {
	row([{ ...at(1), action_text: 'Keep me', query_params: { a: '1' } }]);
	const given = { ...sent(at(1)), label: 'Renamed' };
	rowsOf(await upsert(given, {}));
	rowsOf(await upsert({ ...given, action_text: 'New', query_params: { b: '2' } }, {}));
	expect(written()).toEqual([
		[{ ...given, action_text: 'Keep me', query_params: { a: '1' } }],
		[{ ...given, action_text: 'New', query_params: { b: '2' } }],
	]);
});

it('Create or Update refuses a case that says it has more actions', async () => {
	row([{ ...at(1), action_text: 'Go' }], { actions_meta: { pages: 3 } });
	expect(failureOf(await upsert(NEW, {})).message).toMatch(/with only some of its actions$/);
	expect(written()).toEqual([]);
});

it('A case that comes twice with different actions is refused, and Clear removes an unknown number', async () => {
	const cases = [[at(1)], []].map((actions) => ({ case_id: 1, actions }));
	service.sandbox.faults.add(answer('/api/v2/cases$', { cases, meta }));
	expect(failureOf(await upsert(NEW, {})).message).toMatch(/case 1 twice, with different actions$/);
	expect(written()).toEqual([]);
	const clear = { resource: 'action', operation: 'clear', caseId: byId('1') };
	expect(rowsOf(await service.run(clear))).toMatchObject([{ changed: null, removed: null }]);
	expect(written()).toEqual([[]]);
});

it('A case that comes on two pages with different actions is refused', async () => {
	const rows = [
		{ case_id: 1, actions: [at(1)] },
		{ case_id: 1, actions: [] },
		{ case_id: 2, actions: [] },
	];
	for (const [index, one] of rows.entries()) {
		const further = { pages: 3, per_page: 1, next_page: index < 2 ? 'https://a.example/' : null };
		service.sandbox.faults.add({
			match: { method: 'GET', path: '/api/v2/cases$', page: index + 1 },
			times: 99,
			fault: { kind: 'raw', status: 200, body: JSON.stringify({ cases: [one], meta: further }) },
		});
	}
	const run = await service.run(
		{
			...{ resource: 'action', operation: 'upsert', caseId: OF_ITEM, acceptTextLoss: true },
			...{ actionsFrom: 'json', actionsJson: JSON.stringify([NEW]) },
		},
		{ items: itemsWith([2, 1]) },
	);
	expect(failureOf(run).message).toMatch(/case 1 twice, with different actions$/);
	expect(written()).toEqual([]);
});
