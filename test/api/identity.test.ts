import { caseIdentity, rowIdentity } from '../../nodes/Cases/api/identity';
import { parseJson } from '../../nodes/Cases/api/json';
import { recordIdentity } from '../../nodes/Cases/api/cases/recordEntries';
import type { Row } from '../../nodes/Cases/api/types';

const identities: Array<[name: string, idOf: (row: Row) => string, field: string]> = [
	['case', caseIdentity, 'case_id'],
	['comment', rowIdentity, 'id'],
	['record', recordIdentity, 'id'],
];

describe.each(identities)('the identity of a %s', (_name, idOf, field) => {
	const rowOf = (id: string, text: string) =>
		parseJson(`{"${field}":${id},"text":"${text}"}`) as Row;

	it.each([['7'], ['9007199254740991'], ['"abc"'], ['"1234567890123456789"']])(
		'is its ID %s, whatever its content',
		(id) => {
			expect(idOf(rowOf(id, 'one'))).toBe(idOf(rowOf(id, 'two')));
		},
	);

	it.each([['1234567890123456789'], ['1e21'], ['1.5'], ['""'], ['null'], ['true'], ['{}']])(
		'is its content where the ID is %s',
		(id) => {
			expect(idOf(rowOf(id, 'one'))).not.toBe(idOf(rowOf(id, 'two')));
			expect(idOf(rowOf(id, 'one'))).toBe(idOf(rowOf(id, 'one')));
		},
	);

	it('does not merge rows whose IDs differ only in digits that a number loses', () => {
		const ids = ['1234567890123456788', '1234567890123456789'];
		expect(new Set(ids.map((id) => idOf(rowOf(id, `comment ${id}`)))).size).toBe(2);
	});
});
