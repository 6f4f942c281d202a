import { inTurn, remembering, type Kept } from '../../nodes/Cases/n8n/turns';

const runAt = (baseUrl: string) => ({ tenant: { baseUrl } }) as Parameters<typeof inTurn>[0];
const run = runAt('https://cases.example.com');

/** Takes a turn at case 1 that keeps a list, and returns what was kept before. */
const turn = async (memory?: Map<string, Kept>, tenant = run, caseId = '1') =>
	await inTurn(
		tenant,
		caseId,
		async (_hasWaited, kept) => {
			const { actions } = kept;
			kept.actions = [];
			return await Promise.resolve(actions);
		},
		memory,
	);

describe('what a run keeps of a case', () => {
	it('is there at its next turn', async () => {
		await remembering(run, new Set(['1']), async (memory) => {
			expect(await turn(memory)).toBeUndefined();
			expect(await turn(memory)).toEqual([]);
		});
	});

	it('is dropped by a turn of another run at the case, until it is kept again', async () => {
		await remembering(run, new Set(['1']), async (memory) => {
			await turn(memory);
			await turn();
			expect(await turn(memory)).toBeUndefined();
			expect(await turn(memory)).toEqual([]);
		});
	});

	it('stays while others take turns at other cases and tenants', async () => {
		await remembering(run, new Set(['1']), async (memory) => {
			await turn(memory);
			await turn(undefined, run, '2');
			await turn(undefined, runAt('https://other.example.com'));
			expect(await turn(memory)).toEqual([]);
		});
	});

	it('is nothing of a case that it does not name again', async () => {
		await remembering(run, new Set(['1']), async (memory) => {
			await turn(memory, run, '2');
			expect(await turn(memory, run, '2')).toBeUndefined();
		});
	});
});

it('A turn says whether it had to wait for another one, also for one that failed', async () => {
	const failing = inTurn(
		run,
		'1',
		async (hasWaited) => await Promise.reject(new Error(`${hasWaited}`)),
	);
	const next = inTurn(run, '1', async (hasWaited) => await Promise.resolve(hasWaited));
	await expect(failing).rejects.toThrow('false');
	expect(await next).toBe(true);
	expect(await inTurn(run, '1', async (hasWaited) => await Promise.resolve(hasWaited))).toBe(false);
});
