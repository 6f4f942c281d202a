import { nameFirst, nameInLog } from '../../nodes/Cases/trigger/changes/log';

describe('a case in the log', () => {
	it.each(['7', 'CASE-7_b', 'x'.repeat(40)])('is named by its ID %s', (id) => {
		expect(nameInLog(id)).toBe(id);
	});

	it.each(['x'.repeat(41), '{"name":"Breach"}', 'key=7', '7 ', ' 7', ''])(
		'is not named by %j, which may be its content',
		(identity) => {
			expect(nameInLog(identity)).toBe('without an ID');
		},
	);

	it.each([
		[['7'], '7'],
		[['7', '8'], '7 and 1 other'],
		[['7', '8', '9'], '7 and 2 others'],
		[['{"name":"Breach"}', '8'], 'without an ID and 1 other'],
	])('stands for all of %j', (identities, named) => {
		expect(nameFirst(identities)).toBe(named);
	});
});
