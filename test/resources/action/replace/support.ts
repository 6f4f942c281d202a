import { useService } from '../../../support/service';

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

/** A service with 60 cases, and short words for what tests do with their actions. */
export function useActions() {
	const service = useService({ cases: 60 });
	const writes = (): Array<[path: string, actions: unknown]> =>
		service.sandbox.requests
			.filter(({ method }) => method === 'PUT')
			.map(({ path, body }) => [path, (body as { actions: unknown }).actions]);
	return Object.assign(service, {
		/** Path and actions of each PUT. */
		writes,
		/** The case of each PUT. */
		writtenIds: () =>
			writes().map(([path]) => Number(/cases\/(\d+)\/actions\/batch$/.exec(path)?.[1])),
		/** The actions of a case in the service, with the fields that a user can set. */
		stored: (caseId: number) =>
			service.sandbox.store
				.getCase(caseId)
				.actions()
				.map(({ url, label, action_type, action_text }) => {
					return { url, label, action_type, action_text };
				}),
	});
}
