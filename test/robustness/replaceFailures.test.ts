import type { FaultRule } from '../../sandbox';
import { failureOf, itemsWith, OF_ITEM, range, reportOf } from '../support/runs';
import { useService } from '../support/service';
import { useShortWaits } from './support/shortWaits';

const service = useService({ cases: 100 });
useShortWaits();

const replaceAll = {
	resource: 'action',
	operation: 'replace',
	caseId: OF_ITEM,
	actionsFrom: 'json',
	actionsJson: '={{ [$json.action] }}',
};

/** Each run has its own labels, so that the store shows which run wrote a case. */
let round = 0;
beforeEach(() => round++);
const label = (id: number) => `Round ${round}, case ${id}`;
const inputOf = (ids: number[]) =>
	itemsWith(ids).map((item) => ({
		...item,
		action: {
			url: `https://example.com/${String(item.id)}`,
			label: label(Number(item.id)),
			action_type: 'page',
		},
	}));

const isWritten = (id: number) =>
	service.sandbox.store
		.findCase(id)
		?.actions()
		.some((action) => action.label === label(id)) ?? false;
const fail = (id: number, fault: FaultRule['fault']) =>
	service.sandbox.faults.add({ match: { path: `/cases/${id}/` }, times: 9, fault });

it('Replace All names two cases as perhaps written when the answers to both are lost', async () => {
	const pause = { match: { path: '/cases/(3|4)/' }, fault: { kind: 'latency', ms: 150 } } as const;
	service.sandbox.faults.add(pause);
	for (const id of [3, 4]) fail(id, { kind: 'status', status: 500, applied: true });
	const run = await service.run(
		{ ...replaceAll, options: { maxRetries: 0, concurrency: 4 } },
		{ items: inputOf(range(1, 10)) },
	);
	const { perhaps, written, left } = reportOf(failureOf(run).description);
	expect([3, 4].every(isWritten)).toBe(true);
	expect(perhaps).toEqual([3, 4]);
	expect(written).toEqual(range(1, 10).filter((id) => !perhaps.includes(id) && isWritten(id)));
	expect(left.filter(isWritten)).toEqual([]);
});

// A write that is carried out late does no harm, because every attempt sends the same.
it('Replace All retries a write that times out with the same body', async () => {
	service.sandbox.faults.add({ times: 2, fault: { kind: 'latency', ms: 750 } });
	await service.run(
		{ ...replaceAll, options: { timeout: 500, maxRetries: 2, concurrency: 1 } },
		{ items: inputOf([8]) },
	);
	const bodies = service.sandbox.requests.map(({ body }) => body);
	expect(bodies.length).toBeGreaterThan(1);
	for (const body of bodies) expect(body).toEqual(bodies[0]);
	expect(isWritten(8)).toBe(true);
});
