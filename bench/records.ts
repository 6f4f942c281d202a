import type { CaseStore } from '../sandbox';
import type { RecordGroup } from '../sandbox/types';

/** Entries of two types, half of each, with values of different lengths. */
function makeRecords(caseId: number, count: number, created_at: string): RecordGroup[] {
	const group = (record_type_id: number, record_type_name: string, names: string[]) => ({
		record_type_id,
		record_type_name,
		record_type_record_results: Array.from({ length: count / 2 }, (_, index) => {
			const id = caseId * 10_000 + record_type_id * 1000 + index;
			const results = names.map((name, at) => ({
				id: id * 10 + at,
				name,
				value: `${name}-${index}.case-${caseId}.example.com`,
			}));
			return { id, results, created_at };
		}),
	});
	return [
		group(1, 'Host', ['hostname', 'address']),
		group(2, 'Alert', ['rule', 'source', 'score']),
	];
}

/** Gives each case this many records, an even number, in place of those that it has. */
export function addRecords(store: CaseStore, count: number): void {
	for (const { case_id, created_at, updated_at } of [...store.cases()]) {
		store.updateCase(case_id, { records: makeRecords(case_id, count, created_at), updated_at });
	}
}
