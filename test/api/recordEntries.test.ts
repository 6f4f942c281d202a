import { recordIdentity } from '../../nodes/Cases/api/cases/recordEntries';

const typed = (record_type_id: unknown, record_type_name: unknown) => ({
	record_type_id,
	record_type_name,
	record_type_record_results: [{ id: 1 }],
});

describe('the identity of a record', () => {
	test.each([
		['an ID as number and as text', typed(3, 'Host'), typed('3', 'Mail'), true],
		['other IDs', typed(3, 'Host'), typed(4, 'Host'), false],
		['no ID and the same name', typed(undefined, 'Host'), typed(null, 'Host'), true],
		['no ID and other names', typed(undefined, 'Host'), typed(undefined, 'Mail'), false],
		['null as ID and other names', typed(null, 'Host'), typed(null, 'Mail'), false],
	])('of types with %s', (_what, one, other, isSame) => {
		expect(recordIdentity(one) === recordIdentity(other)).toBe(isSame);
	});
});
