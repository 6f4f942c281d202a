import { planUpsert } from '../../nodes/Cases/api/actionPlans';
import type { Client } from '../../nodes/Cases/api/client';
import { editActions } from '../../nodes/Cases/api/editActions';
import { ApiFailure } from '../../nodes/Cases/api/failure';
import { createPool } from '../../nodes/Cases/api/pool';
import type { ActionInput } from '../../nodes/Cases/api/types';

/** A service with one case, which stores each action as `store` makes it. */
function serving(store: (action: ActionInput) => ActionInput) {
	const service = { actions: [] as ActionInput[], writes: 0 };
	const send: Client['send'] = async ({ body }) => {
		if (body !== undefined) {
			service.writes++;
			service.actions = body.actions.map(store);
		}
		const { actions } = service;
		const answer = body === undefined ? { cases: [{ case_id: 1, actions }] } : { actions };
		return await Promise.resolve({
			body: answer,
			servedAt: undefined,
			unusable: ({ message }) => new ApiFailure(message, { description: '', retryable: false }),
		});
	};
	const tenant = {
		baseUrl: 'https://cases.example.com',
		authHeader: {},
		ignoreSslIssues: false,
		arrayFormat: 'brackets' as const,
	};
	const client: Client = { ...createPool(1), tenant, send, nameFilter: String, now: () => 0 };
	return { client, service };
}

const BUTTON = {
	url: 'https://n8n.example.com/?nonce=1',
	label: 'Isolate?',
	action_type: 'webhook',
};
const keeping = { caseId: '1', acceptTextLoss: true, readButtonTexts: false };

test.each<[string, (action: ActionInput) => ActionInput, boolean]>([
	['as they are', (action) => action, true],
	['shortened', ({ url, ...action }) => ({ url: url.slice(0, 20), ...action }), false],
])('writes once where the service stores URLs %s', async (_how, store, isDone) => {
	const { client, service } = serving(store);
	const edited = await editActions(
		client,
		keeping,
		(existing) => planUpsert('1', existing, [BUTTON]),
		(existing) => existing.some(({ url }) => url === BUTTON.url),
	);
	expect(edited.isDone).toBe(isDone);
	expect(service).toMatchObject({ writes: 1, actions: [{ label: 'Isolate?' }] });
});
