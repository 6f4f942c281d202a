import type { Case } from './types';

/** Rows that came with another row of the same case which has other actions. */
const doubtful = new WeakSet<Case>();

/** Notes the rows of one page that are of the same case and differ in its actions: nobody knows which one is right. */
export function noteTwoVersions(rows: Case[]): void {
	const byId = new Map<string, Case[]>();
	for (const row of rows) {
		const id = String(row.case_id);
		byId.set(id, [...(byId.get(id) ?? []), row]);
	}
	for (const versions of byId.values()) {
		const texts = new Set(versions.map(({ actions }) => JSON.stringify(actions)));
		if (texts.size > 1) for (const row of versions) doubtful.add(row);
	}
}

/** Whether the service sent another row of this case, with other actions. */
export function hasTwoVersions(row: Case): boolean {
	return doubtful.has(row);
}
