import { failureOf, idsOf, OF_ITEM, pairsOf, range, rowsOf } from '../../../support/runs';
import { FROM_ITEMS, inJson, LISTED, replace, RUNBOOK, useActions } from './support';

const service = useActions();

const options = { skipUnchanged: true };
const parameters = { ...replace, caseId: OF_ITEM, ...inJson('={{ $json.actions }}'), options };
const OTHER = { ...RUNBOOK, url: 'https://example.com/other', label: 'Other' };
const given = (...list: unknown[]) => ({ id: 50, actions: list });

beforeEach(() => {
	const both = [RUNBOOK, OTHER] as Parameters<typeof service.sandbox.store.replaceActions>[1];
	// In the past, because an edit during a read makes the node read again.
	service.sandbox.store.replaceActions(50, both, { updated_at: '2026-01-20T00:00:00Z' });
});

describe('Skip Unchanged', () => {
	it('reads the cases first, fifty to a request, and writes none that are unchanged', async () => {
		const items = range(1, 60).map((id) => ({
			id,
			actions: service
				.stored(id)
				.map(({ url, label, action_type }) => ({ url, label, action_type })),
		}));
		const same = items.filter(({ actions }) => actions.length > 0);
		const run = await service.run(parameters, { items: same });
		expect(service.writes()).toEqual([]);
		expect(service.sandbox.requests).toHaveLength(Math.ceil(same.length / 50));
		expect(idsOf(run)).toEqual(same.map(({ id }) => id));
		expect(rowsOf(run).every(({ changed }) => changed === false)).toBe(true);
	});

	it('returns an unchanged case with its actions and changed: false', async () => {
		const run = await service.run(parameters, { items: [given(RUNBOOK, OTHER)] });
		expect(rowsOf(run)).toEqual([
			{
				case_id: 50,
				actions: [LISTED(RUNBOOK), LISTED(OTHER)],
				changed: false,
			},
		]);
		expect(pairsOf(run)).toEqual([[0]]);
	});

	test.each([
		['another label', [{ ...RUNBOOK, label: 'New' }, OTHER]],
		['another order', [OTHER, RUNBOOK]],
		['a button text, which can’t be compared', [{ ...RUNBOOK, action_text: 'Go' }, OTHER]],
	])('writes a case that gets %s', async (_what, list) => {
		const run = await service.run(parameters, { items: [given(...list)] });
		expect(service.writes()).toEqual([['/api/v2/cases/50/actions/batch', list]]);
		expect(rowsOf(run)).toMatchObject([{ case_id: 50, actions: list, changed: true }]);
	});

	it('reports only cases to write when a write fails, not those that it skips', async () => {
		const items = [given(RUNBOOK, OTHER), { id: 51, actions: [RUNBOOK] }];
		service.sandbox.faults.add({
			match: { method: 'PUT' },
			fault: { kind: 'status', status: 400 },
		});
		const run = await service.run(parameters, { items });
		expect(failureOf(run).description).toMatch(
			/Failed: item 1 \(case 51\)\. Unchanged: item 0 \(case 50\)\.$/,
		);
	});

	it('skips a case whose actions the service has tidied', async () => {
		const run = await service.run(parameters, {
			items: [
				given({ ...RUNBOOK, url: 'HTTP://RUNBOOKS.example.net/7', action_type: 'PAGE' }, OTHER),
			],
		});
		expect(service.writes()).toEqual([]);
		expect(rowsOf(run)).toMatchObject([{ case_id: 50, changed: false }]);
	});

	it('holds for a case if one of its items turns it on, where each item is one action', async () => {
		const run = await service.run(
			{
				...replace,
				caseId: OF_ITEM,
				...FROM_ITEMS,
				options: { skipUnchanged: '={{ $json.skip }}' },
			},
			{
				items: [
					{ id: 50, ...RUNBOOK, skip: false },
					{ id: 50, ...OTHER, skip: true },
				],
			},
		);
		expect(service.writes()).toEqual([]);
		expect(rowsOf(run)).toMatchObject([{ case_id: 50, changed: false }]);
	});

	it('compares button texts that the service returns', async () => {
		service.sandbox.store.replaceActions(50, [{ ...RUNBOOK, action_text: 'Go' } as never], {
			updated_at: '2026-01-20T00:00:00Z',
		});
		service.sandbox.deviate({ actions: { inRows: 'texts' } });
		for (const text of ['Go', 'Run']) {
			await service.run(parameters, { items: [given({ ...RUNBOOK, action_text: text })] });
		}
		service.sandbox.deviate();
		expect(service.writes().map(([, actions]) => actions)).toEqual([
			[{ ...RUNBOOK, action_text: 'Run' }],
		]);
	});
});
