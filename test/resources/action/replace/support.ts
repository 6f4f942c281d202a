import { range } from '../../../support/runs';
import { useService, type Service } from '../../../support/service';

export const replace = { resource: 'action', operation: 'replace' };

export const CONTAIN = {
	url: 'https://stories.example.com/webhook/isolate-host?case=1&b=%20#x',
	label: 'Contain "host" & more 🔥',
	action_type: 'webhook',
	action_text: 'Contain now',
};
export const RUNBOOK = {
	url: 'http://runbooks.example.net/7',
	label: 'Runbook',
	action_type: 'page',
};

/** An action as lists carry it. */
export const LISTED = ({ url, label, action_type }: typeof CONTAIN | typeof RUNBOOK) => ({
	id: expect.any(Number) as number,
	url,
	label,
	action_type,
});

export const inFields = (...action: unknown[]) => ({ actionsFrom: 'fields', actions: { action } });
export const inJson = (actionsJson: unknown) => ({ actionsFrom: 'json', actionsJson });
/** One action for each input item, with all its fields from the item. */
export const FROM_ITEMS = {
	actionsFrom: 'items',
	url: '={{ $json.url }}',
	label: '={{ $json.label }}',
	action_type: '={{ $json.action_type }}',
	action_text: '={{ $json.action_text }}',
};

const CASES = 60;

/** Returns the actions of a case in the service, with the fields that a user can set. */
export type StoredActions = (caseId: number) => Array<Record<string, unknown>>;

export interface ActionsService extends Service {
	/** Path and actions of each PUT. */
	writes(): Array<[path: string, actions: unknown]>;
	/** The case of each PUT. */
	writtenIds(): number[];
	stored: StoredActions;
	/** The actions of all cases in the service. */
	snapshot(): Map<number, unknown>;
}

/** A service with 60 cases. */
export function useActions(): ActionsService {
	const service = useService({ cases: CASES });
	const writes: ActionsService['writes'] = () =>
		service.sandbox.requests
			.filter(({ method }) => method === 'PUT')
			.map(({ path, body }) => [path, (body as { actions: unknown }).actions]);
	const writtenIds = () =>
		writes().map(([path]) => Number(/cases\/(\d+)\/actions\/batch$/.exec(path)?.[1]));
	const stored: StoredActions = (caseId) =>
		service.sandbox.store
			.getCase(caseId)
			.actions()
			.map(({ url, label, action_type, action_text }) => ({
				url,
				label,
				action_type,
				action_text,
			}));
	const snapshot = () => new Map(range(1, CASES).map((id) => [id, stored(id)]));
	return Object.assign(service, { writes, writtenIds, stored, snapshot });
}
