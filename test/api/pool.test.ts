import fc from 'fast-check';
import { createGate, createLine, createPool, gatesFor } from '../../nodes/Cases/api/pool';

const nextTurn = () => new Promise<void>((resolve) => setImmediate(resolve));

/** Counts how many tasks are under way at once. */
function createMeter() {
	let running = 0;
	const meter = {
		most: 0,
		started: 0,
		run: async (turns: number) => {
			meter.started++;
			meter.most = Math.max(meter.most, ++running);
			for (let turn = 0; turn < turns; turn++) await nextTurn();
			running--;
		},
	};
	return meter;
}

const turnsOfTasks = fc.array(fc.integer({ min: 1, max: 4 }), { maxLength: 20 });
const width = fc.integer({ min: 1, max: 8 });

describe('tasks in a pool', () => {
	it('return all results in order, and use the whole width but no more', async () => {
		await fc.assert(
			fc.asyncProperty(turnsOfTasks, width, async (turns, concurrency) => {
				const meter = createMeter();
				const results = await createPool(concurrency).map(turns.length, async (index) => {
					await meter.run(turns[index]);
					return index * 10;
				});
				expect(results).toEqual(turns.map((_turns, index) => index * 10));
				expect(meter.most).toBe(Math.min(concurrency, turns.length));
			}),
			{ numRuns: 50 },
		);
	});

	it('that read run with one more than the requests that may be in flight', async () => {
		const meter = createMeter();
		await createPool(3).mapReads(9, async () => await meter.run(1));
		expect(meter.most).toBe(4);
	});

	it('are none when there are to be none', async () => {
		const task = jest.fn();
		expect(await createPool(4).map(0, task)).toEqual([]);
		expect(task).not.toHaveBeenCalled();
	});

	it('stop starting after a failure, end those under way, and fail as the first in order', async () => {
		const ended: number[] = [];
		const started: number[] = [];
		const work = createPool(3).map(10, async (index) => {
			started.push(index);
			// 1 fails first, 0 later, 2 ends last.
			for (let turn = 0; turn < [2, 1, 3][index]; turn++) await nextTurn();
			ended.push(index);
			if (index < 2) throw new Error(`Task ${index} failed`);
		});
		await expect(work).rejects.toThrow('Task 0 failed');
		expect(started).toEqual([0, 1, 2]);
		expect(ended).toEqual([1, 0, 2]);
	});
});

/** Lets tasks through a gate. */
function passage(size: number) {
	const enter = createGate(size);
	return async <T>(task: () => Promise<T>): Promise<T> => {
		const leave = await enter();
		return await task().finally(leave);
	};
}

describe('tasks at a gate', () => {
	it('go through first come, first served, and use the whole width but no more', async () => {
		await fc.assert(
			fc.asyncProperty(turnsOfTasks, width, async (turns, size) => {
				const meter = createMeter();
				const order: number[] = [];
				const through = passage(size);
				await Promise.all(
					turns.map((count, index) =>
						through(async () => {
							order.push(index);
							await meter.run(count);
						}),
					),
				);
				expect(order).toEqual(turns.map((_turns, index) => index));
				expect(meter.most).toBe(Math.min(size, turns.length));
			}),
			{ numRuns: 50 },
		);
	});

	it('that come later than others wait too', async () => {
		const meter = createMeter();
		const through = passage(1);
		const first = through(() => meter.run(1));
		const second = through(() => meter.run(3));
		await first;
		await nextTurn();
		await Promise.all([second, through(() => meter.run(1))]);
		expect(meter).toMatchObject({ most: 1, started: 3 });
	});

	it('end with their results and failures, and a failure lets the next one in', async () => {
		const through = passage(1);
		const failing = through(async () => {
			await nextTurn();
			throw new Error('failed');
		});
		const next = through(async () => 'result');
		await expect(failing).rejects.toThrow('failed');
		await expect(next).resolves.toBe('result');
	});
});

describe('gates by key', () => {
	it('limit the tasks of each key, and are dropped when the last task leaves', async () => {
		const gates = new Map();
		const enter = gatesFor(1, gates);
		const leave = await enter('one')();
		const second = enter('one')();
		let isIn = false;
		void second.then(() => (isIn = true));
		const leaveOther = await enter('other')();
		expect(isIn).toBe(false);
		expect([...gates.keys()]).toEqual(['one', 'other']);
		leaveOther();
		leave();
		expect([...gates.keys()]).toEqual(['one']);
		(await second)();
		expect(gates.size).toBe(0);
	});
});

describe('tasks in a line', () => {
	it('go through first come, first served, as many at a time as fit', async () => {
		const meter = createMeter();
		const inLine = createLine(2);
		const results = await Promise.all(
			[1, 2, 3, 4].map(async (n) => await inLine(async () => await meter.run(n).then(() => n))),
		);
		expect(results).toEqual([1, 2, 3, 4]);
		expect(meter.most).toBe(2);
	});

	it('end after a failure: those under way by themselves, all others with the failure', async () => {
		const started: number[] = [];
		const inLine = createLine(2);
		const tasks = [1, 2, 3, 4].map((n) =>
			inLine(async () => {
				started.push(n);
				for (let turn = 0; turn < n; turn++) await nextTurn();
				if (n < 3) throw new Error(`Task ${n} failed`);
			}),
		);
		const ended = await Promise.allSettled(tasks);
		const why = ended.map((one) => (one.status === 'rejected' ? String(one.reason) : ''));
		expect(why.map((text) => /\d/.exec(text)?.[0])).toEqual(['1', '2', '1', '1']);
		await expect(inLine(async () => await Promise.resolve(started.push(5)))).rejects.toThrow(
			'Task 1 failed',
		);
		expect(started).toEqual([1, 2]);
	});
});
