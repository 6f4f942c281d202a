import { caseIdentity } from './identity';
import type { Case } from './types';

/** Under this key a row says that the service also sent another row of its case, with other actions. */
const OTHER_VERSION = Symbol('another row has other actions');

/**
 * Creates a function for all rows of one read. Where two rows of a case differ in its actions, it marks both: nobody
 * knows which of them is right.
 */
export function createVersionCheck(): (row: Case) => Case {
	const rows = new Map<string, Case>();
	return (row) => {
		const first = rows.get(caseIdentity(row)) ?? row;
		rows.set(caseIdentity(row), first);
		const differs = JSON.stringify(first.actions) !== JSON.stringify(row.actions);
		if (differs || hasTwoVersions(first)) {
			for (const one of [first, row]) Object.assign(one, { [OTHER_VERSION]: true });
		}
		return row;
	};
}

/** Whether the service sent another row of this case, with other actions. */
export function hasTwoVersions(row: Case): boolean {
	return OTHER_VERSION in row;
}
