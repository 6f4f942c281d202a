import { failureOf, itemsWith, OF_ITEM, pairsOf, range } from '../support/runs';
import { useService, type RunOptions } from '../support/service';

// What goes wrong in the same way in operations on cases that items name. See also everyOperation.test.ts.
const service = useService({ cases: 60 });

const OLD = { url: 'https://example.com/old', label: 'Old', action_type: 'webhook' as const };
const NEW = { ...OLD, url: 'https://example.com/new', label: 'New' };
const give = { actionsFrom: 'json', actionsJson: [NEW] };

// In the past: an edit during a read would make the node read again.
const put = (id: number) =>
	service.sandbox.store.replaceActions(id, [OLD], { updated_at: '2026-01-20T00:00:00Z' });

beforeEach(() => {
	const { store } = service.sandbox;
	for (const id of [1, 2, 3]) {
		put(id);
		if (store.comments(id).length === 0) store.addComment(id, 'A comment');
	}
});

type Named = [name: string, parameters: Record<string, unknown>];
const named = (resource: string, operation: string, others = {}): Named => [
	`${resource}.${operation} ${JSON.stringify(others)}`,
	{ resource, operation, ...others },
];
const GET = named('case', 'get');
const DIGEST = named('case', 'digest');
const COMMENTS = named('comment', 'getAll', { limit: 1 });
const ACTIVITIES = named('activity', 'getAll', { limit: 1 });
const RECORDS = named('record', 'getAll', { limit: 1 });
const ACTIONS = named('action', 'getAll');
const REPLACE = named('action', 'replace', give);
const SKIP = named('action', 'replace', { ...give, options: { skipUnchanged: true } });
const UPSERT = named('action', 'upsert', give);
const CLEAR = named('action', 'clear');

const written = () => service.paths().filter((path) => !path.startsWith('GET'));
const writesTo = ({ operation }: Named[1], ...ids: number[]) =>
	ids.map((id) =>
		operation === 'upsert'
			? `POST /api/v2/cases/${id}/actions`
			: `PUT /api/v2/cases/${id}/actions/batch`,
	);
const isWrite = ({ operation }: Named[1]) =>
	['replace', 'upsert', 'clear'].includes(operation as string);

describe.each([GET, DIGEST, COMMENTS, ACTIVITIES, RECORDS, ACTIONS, REPLACE, SKIP, UPSERT, CLEAR])(
	'%s',
	(_name, parameters) => {
		it('ends with the error of an unknown ID among many, at its item', async () => {
			const items = itemsWith([1, 999, 2]);
			const run = await service.run({ ...parameters, caseId: OF_ITEM }, { items });
			expect(failureOf(run)).toMatchObject({
				status: 'error',
				message: expect.stringMatching(/not found, or the API key has no access to it/i),
				description: expect.stringContaining("a team key sees only its team's cases"),
				item: 1,
			});
		});

		it('reports an unknown ID, and what is none, at its own item alone under Continue On Fail', async () => {
			const run = await service.run(
				{ ...parameters, caseId: OF_ITEM },
				{ items: itemsWith([1, 999, 2, 'x']), onError: 'continueErrorOutput' },
			);
			expect(pairsOf(run)).toEqual([[0], [2]]);
			expect(run.errorItems.map(({ json }) => json)).toEqual([
				{
					id: 999,
					error: expect.stringMatching(/not found, or the API key has no access to it/i),
					details: expect.anything(),
				},
				{
					id: 'x',
					error: expect.stringContaining('"x" is not a case ID'),
					details: expect.anything(),
				},
			]);
			expect(pairsOf({ items: run.errorItems })).toEqual([[1], [3]]);
			const others = written().filter((path) => !path.includes('/999/'));
			expect(others.sort()).toEqual(isWrite(parameters) ? writesTo(parameters, 1, 2) : []);
		});
	},
);

it('A service that ignores the filter for IDs is reported', async () => {
	service.sandbox.deviate({ filters: { ignored: ['case_ids'] } });
	const run = await service.run({ ...GET[1], caseId: OF_ITEM }, { items: itemsWith([1, 2]) });
	expect(failureOf(run)).toMatchObject({
		message: "The service ignores the filter 'Case IDs'",
		description: expect.stringContaining('List Format in Requests'),
		item: 0,
	});
});

describe.each([SKIP, CLEAR])(
	'%s, when the second read of fifty cases fails,',
	(_name, parameters) => {
		const ids = range(1, 52);
		const options = { ...(parameters.options as object), concurrency: 1, maxRetries: 0 };
		const run = async (onError: RunOptions['onError']) => {
			for (const id of ids) put(id);
			const fault = { kind: 'status', status: 500 } as const;
			service.sandbox.faults.add({ times: 9, match: { method: 'GET', nth: 2 }, fault });
			const items = itemsWith(ids);
			return await service.run({ ...parameters, caseId: OF_ITEM, options }, { items, onError });
		};

		it('writes those that were read, and says so', async () => {
			const ended = failureOf(await run('stopWorkflow'));
			expect(ended).toMatchObject({ name: 'NodeApiError', httpCode: '500', item: 50 });
			expect(written()).toEqual(writesTo(parameters, ...range(1, 50)));
			expect(ended.description).toMatch(
				/Failed: item 50 \(case 51\)\. Written: items 0 \(case 1\), .*\. Not started: item 51/,
			);
		});

		it('reports the others at their items under Continue On Fail', async () => {
			const ended = await run('continueErrorOutput');
			expect(pairsOf(ended)).toEqual(range(0, 49).map((item) => [item]));
			expect(pairsOf({ items: ended.errorItems })).toEqual([[50], [51]]);
		});
	},
);
