import { inTurn } from '../../nodes/Cases/api/turns';

/** A task that ends when it is told to. */
function taskOf(log: string[], name: string) {
	let end: (failure?: Error) => void;
	const task = async () => {
		log.push(`${name} starts`);
		await new Promise<void>((resolve, reject) => {
			end = (failure) => (failure ? reject(failure) : resolve());
		});
		return name;
	};
	return { task, end: (failure?: Error) => end(failure) };
}

const settled = async () => await new Promise(setImmediate);

describe('Tasks in turn', () => {
	it('wait for each other where they have one key, even where one fails', async () => {
		const log: string[] = [];
		const [a, b, other] = ['a', 'b', 'other'].map((name) => taskOf(log, name));
		const results = [inTurn('1', a.task), inTurn('1', b.task), inTurn('2', other.task)];
		await settled();
		expect(log).toEqual(['a starts', 'other starts']);
		a.end(new Error('failed'));
		await expect(results[0]).rejects.toThrow('failed');
		await settled();
		expect(log).toEqual(['a starts', 'other starts', 'b starts']);
		b.end();
		other.end();
		expect(await Promise.all(results.slice(1))).toEqual(['b', 'other']);
	});

	it('wait for the last of those before them, also where an earlier one has ended', async () => {
		const log: string[] = [];
		const [a, b, c] = ['a', 'b', 'c'].map((name) => taskOf(log, name));
		const results = [inTurn('3', a.task), inTurn('3', b.task)];
		await settled();
		a.end();
		await settled();
		results.push(inTurn('3', c.task));
		await settled();
		expect(log).toEqual(['a starts', 'b starts']);
		b.end();
		await settled();
		c.end();
		expect(await Promise.all(results)).toEqual(['a', 'b', 'c']);
	});
});
