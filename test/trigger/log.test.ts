import { expectNoKey } from '../support/service';
import { useLog } from '../support/log';
import { eventsOf, useTrigger } from './trigger';

const setUp = useTrigger();
const lines = useLog();

/** The lines as `level text`, without what all of them begin with. */
const texts = () =>
	lines.map(({ level, message }) => {
		const { begins = '', text = '' } =
			/^(?<begins>\[n8n-nodes-cases\] Node "Node" of workflow workflow: )(?<text>.*)$/.exec(message)
				?.groups ?? {};
		expect(begins).not.toBe('');
		return `${level} ${text}`;
	});

describe("n8n's log", () => {
	it('says since when a new trigger reports changes', async () => {
		const { trigger } = await setUp();
		await (await trigger()).poll();
		expect(texts()).toEqual(['info Changes from 2026-01-31T12:00:02Z on are reported']);
	});

	it("says that the stored position can't be read, and that the trigger starts from now", async () => {
		const { store, trigger, later } = await setUp();
		store.createCase({ case_id: 1 });
		const poller = await trigger({ staticData: { state: { version: 2, edits: [] } } });
		expect(await poller.poll()).toBeNull();
		expect(texts()[0]).toBe(
			"warn The stored position can't be read, so the trigger starts from now",
		);
		later(30);
		store.createCase({ case_id: 2 });
		expect(await eventsOf(poller)).toEqual(['caseCreated 2']);
	});

	it('says that a poll was skipped because another one still runs, which repeats nothing', async () => {
		const { sandbox, store, published } = await setUp();
		const poller = await published();
		store.createCase({ case_id: 1 });
		lines.length = 0;
		sandbox.faults.add({ times: 1, fault: { kind: 'latency', ms: 50 } });
		const both = await Promise.all([eventsOf(poller), eventsOf(poller)]);
		expect(both.flat()).toEqual(['caseCreated 1']);
		expect(texts()).toEqual(['info Skipped a poll, because the last one is still running']);
		expect(await poller.poll()).toBeNull();
	});

	it('names what was skipped, and never a search text, a body or the key; nothing else is lost', async () => {
		const { sandbox, store, published } = await setUp();
		const poller = await published({ filters: { search: 'private words', priority: 'HIGH' } });
		lines.length = 0;
		for (let case_id = 1; case_id <= 12; case_id++) {
			const priority = case_id === 12 ? 'LOW' : 'HIGH';
			store.createCase({ case_id, name: 'private words', priority });
			store.addComment(case_id, 'private words');
		}
		const failing = [3, 4, 5, 6, 7, 8, 9];
		sandbox.deviate({
			filters: { ignored: ['priority'] },
			rows: {
				fields: [
					{ path: 'updated_at', value: 'private words', cases: [1] },
					{ path: 'created_at', value: null, cases: [2] },
					{ list: 'comments', path: 'created_at', cases: [10] },
				],
				failing: [{ list: 'comments', status: 500, cases: failing }],
			},
		});
		expect((await eventsOf(poller)).sort()).toEqual([
			...[10, 11, 3, 4, 5, 6, 7, 8, 9].map((id) => `caseCreated ${id}`),
			'caseUpdated 2',
			...[11, 2].map((id) => `commentAdded ${id}`),
		]);
		expect(texts().sort()).toEqual([
			'warn Comments or activities could not be read, of the cases 3, 4, 5, 6, 7 and 2 more: The service had an error (500)',
			"warn Left out cases that contradict the filter 'Priority'",
		]);
		expect(JSON.stringify(lines)).not.toContain('private');
		expectNoKey(lines, Object.values(sandbox.keys));
	});

	it('has each retry at debug', async () => {
		const { sandbox, published } = await setUp();
		const poller = await published({ options: { maxRetries: 1 } });
		lines.length = 0;
		sandbox.faults.add({ fault: { kind: 'status', status: 500 } });
		await poller.poll();
		expect(texts()).toEqual([
			expect.stringMatching(/^debug The service had an error \(500\)\. GET \S+ is retried in/),
		]);
	});
});
