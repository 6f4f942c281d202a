import type { CaseStore } from '../../sandbox/store';

/** The actions of each case in their order, one line each, by case ID. */
export type ActionsByCase = Map<number, string[]>;

/** A case whose actions have changed. */
export interface ActionChange {
	[column: string]: number | string[];
	case_id: number;
	before: string[];
	after: string[];
}

export function actionsByCase(store: CaseStore): ActionsByCase {
	return new Map(
		Array.from(store.cases(), ({ case_id, actions }) => [
			case_id,
			actions().map(({ label, action_type, url }) => `${label} (${action_type}) ${url}`),
		]),
	);
}

export function actionChanges(before: ActionsByCase, after: ActionsByCase): ActionChange[] {
	const caseIds = [...new Set([...before.keys(), ...after.keys()])];
	return caseIds
		.map((case_id) => ({
			case_id,
			before: before.get(case_id) ?? [],
			after: after.get(case_id) ?? [],
		}))
		.filter((change) => change.before.join('\n') !== change.after.join('\n'));
}
