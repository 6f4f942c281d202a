import { byId, byUrl, failureOf, pairsOf, rowsOf } from '../../../support/runs';
import { CONTAIN, inFields, inJson, replace, RUNBOOK, useActions } from './support';

// How actions are read is tested in test/api; these tests hold what only n8n's engine and the wire can show.
const service = useActions();

describe('Replace All', () => {
	it('sends one PUT with the actions as they are given', async () => {
		const run = await service.run({ ...replace, caseId: byId('1'), ...inFields(CONTAIN, RUNBOOK) });
		expect(rowsOf(run)).toHaveLength(1);
		expect(service.writes()).toEqual([['/api/v2/cases/1/actions/batch', [CONTAIN, RUNBOOK]]]);
		expect(service.paths()).toEqual(['PUT /api/v2/cases/1/actions/batch']);
		expect(service.stored(1)).toEqual([CONTAIN, { ...RUNBOOK, action_text: null }]);
	});

	it('returns the case ID, the actions that the service has now, and changed: true', async () => {
		const run = await service.run({ ...replace, caseId: byId('1'), ...inFields(CONTAIN) });
		expect(rowsOf(run)).toEqual([
			{
				case_id: 1,
				actions: [expect.objectContaining({ ...CONTAIN, story_name: 'Isolate host' })],
				changed: true,
			},
		]);
		expect(pairsOf(run)).toEqual([[0]]);
	});

	it('trims values, and sends webhook when no type is chosen', async () => {
		const action = { url: ' https://example.com/a ', label: ' A ', action_text: ' Go ' };
		await service.run({ ...replace, caseId: byId('2'), ...inFields(action) });
		expect(service.writes()[0][1]).toEqual([
			{ url: 'https://example.com/a', label: 'A', action_type: 'webhook', action_text: 'Go' },
		]);
	});

	it('writes to the case of a URL', async () => {
		const caseId = byUrl(`${service.sandbox.url}/cases/33`);
		await service.run({ ...replace, caseId, ...inFields(RUNBOOK) });
		expect(service.writtenIds()).toEqual([33]);
	});

	test.each([
		['a list', [CONTAIN, RUNBOOK]],
		['an object with actions', { actions: [CONTAIN, RUNBOOK] }],
	])('takes JSON that is %s, as text or as a value', async (_form, value) => {
		await service.run({ ...replace, caseId: byId('3'), ...inJson(JSON.stringify(value)) });
		await service.run(
			{ ...replace, caseId: byId('3'), ...inJson('={{ $json.value }}') },
			{ items: [{ value }] },
		);
		const expected = ['/api/v2/cases/3/actions/batch', [CONTAIN, RUNBOOK]];
		expect(service.writes()).toEqual([expected, expected]);
	});

	it('takes actions as the service lists them, without the fields that it adds', async () => {
		const listed = {
			...RUNBOOK,
			id: 9,
			story_name: null,
			story_emoji: null,
			created_at: 'x',
			updated_at: 'y',
		};
		await service.run({ ...replace, caseId: byId('3'), ...inJson([listed]) });
		expect(service.writes()[0][1]).toEqual([RUNBOOK]);
	});

	it('refuses actions with a misspelt field before any request', async () => {
		const actionsJson = [{ ...RUNBOOK, text: 'x' }];
		const run = await service.run({ ...replace, caseId: byId('3'), ...inJson(actionsJson) });
		expect(failureOf(run)).toMatchObject({
			name: 'NodeOperationError',
			message: 'Action 1 has an unknown field "text"',
			description: expect.stringContaining('fields'),
			item: 0,
		});
		expect(service.sandbox.requests).toEqual([]);
	});

	test.each([
		['JSON that was never filled in', { actionsFrom: 'json' }],
		['fields', inFields()],
		['fields never filled in', { actionsFrom: 'fields' }],
		['JSON', inJson('[]')],
		['a JSON object', inJson('{ "actions": [] }')],
	])('refuses an empty list of %s and points to Clear', async (_from, parameters) => {
		const before = service.stored(16);
		const run = await service.run({ ...replace, caseId: byId('16'), ...parameters });
		expect(failureOf(run)).toMatchObject({
			message: 'No action was given',
			description: expect.stringContaining('the operation Clear'),
			item: 0,
		});
		expect(service.sandbox.requests).toEqual([]);
		expect(service.stored(16)).toEqual(before);
	});
});
