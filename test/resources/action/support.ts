import { useService, type Service } from '../../support/service';

/** An action as a user gives it. */
export interface Given {
	url: string;
	label: string;
	action_type: 'webhook' | 'page';
	action_text?: string;
	query_params?: Record<string, string>;
}

export const A: Given = { url: 'https://a.example/run', label: 'A', action_type: 'webhook' };
export const B: Given = { url: 'https://b.example/', label: 'B', action_type: 'page' };

export const give = (...actions: unknown[]) => ({ actionsFrom: 'json', actionsJson: actions });

/** One action for each input item, with all its fields from the item. */
export const FROM_ITEMS = {
	actionsFrom: 'items',
	url: '={{ $json.url }}',
	label: '={{ $json.label }}',
	action_type: '={{ $json.action_type }}',
	action_text: '={{ $json.action_text }}',
};

/** Gives a case actions, in the past: an edit during a read would make the node read again. */
export function put({ sandbox }: Service, caseId: number, ...actions: Given[]): void {
	sandbox.store.replaceActions(caseId, actions, { updated_at: '2026-01-20T00:00:00Z' });
}

/** The actions of a case in the service, with what a user can set, and their IDs. */
export function stored({ sandbox }: Service, caseId: number): Array<Record<string, unknown>> {
	return sandbox.store
		.getCase(caseId)
		.actions()
		.map(({ id, url, label, action_type, action_text, query_params }) => ({
			...{ id, url, label, action_type },
			...(action_text !== null && { action_text }),
			...(query_params && { query_params }),
		}));
}

/** A service with its cases, and short words for what tests do with their actions. */
export function useCases(cases: number) {
	const service = useService({ cases });
	return {
		service,
		put: (caseId: number, ...actions: Given[]) => put(service, caseId, ...actions),
		stored: (caseId: number) => stored(service, caseId),
		/** The requests that write, without the path of the case. */
		writes: () =>
			service.sandbox.requests
				.filter(({ method }) => method !== 'GET')
				.map(({ method, path, body }) => [method, path.replace('/api/v2/cases/', ''), body]),
	};
}
