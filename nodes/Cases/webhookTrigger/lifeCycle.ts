import type { IHookFunctions } from 'n8n-workflow';

import { createWebhook, deleteWebhooks, findWebhooks } from '../api/writes/caseWebhooks';
import { ApiFailure } from '../api/failures/failure';
import { isOutOfReach } from '../api/http/url';
import type { Row } from '../api/types';
import { QUICK_SENDING } from '../fields/options';
import { toNodeError } from '../n8n/errors';
import { createLog } from '../n8n/log';
import { createClient } from '../n8n/transport';
import { neededTypes } from './notification';
import { readWebhookSettings } from './settings';

const inOrder = (types: unknown) => [types].flat().sort().join();

/** Reads the settings, and what the node has stored. A test ignores what is stored, because it has its own URL. */
function read(context: IHookFunctions) {
	const { teamId, ...settings } = readWebhookSettings(context);
	const url = String(context.getNodeWebhookUrl('default'));
	const stored = context.getMode() === 'manual' ? {} : context.getWorkflowStaticData('node');
	const isStored = stored.url === url && stored.teamId === teamId;
	return { teamId, notifications: neededTypes(settings), url, stored, isStored };
}

/** Makes sure that the service has exactly one webhook with the node's URL, with the right types of notifications. */
async function ensure(context: IHookFunctions): Promise<void> {
	const { teamId, notifications, url, stored, isStored } = read(context);
	const client = await createClient(context, QUICK_SENDING);
	if (isOutOfReach(url, client.tenant.baseUrl)) {
		client.log.warn(
			`Only this machine can reach ${new URL(url).host}, which the service is to call. Set N8N_WEBHOOK_URL (before n8n 2.30: WEBHOOK_URL) to the public URL of n8n.`,
		);
	}
	const found = await findWebhooks(client, teamId, url);
	if (stored.url !== undefined && !isStored) {
		// The address of n8n, or the team, has changed. A failure may mean that the former team is gone, with its webhooks.
		const former = findWebhooks(client, String(stored.teamId), String(stored.url));
		await deleteWebhooks(client, await former.catch(() => []));
	}
	const isRight = (one: Row) => inOrder(one.notifications) === inOrder(notifications);
	const right = found.find(isRight);
	const others = found.filter((one) => one !== right);
	await deleteWebhooks(client, others);
	if (right === undefined) {
		if (isStored) client.log.warn('The webhook is no longer in the service. It is made again');
		delete stored.url;
		const name = `n8n: ${context.getWorkflow().name ?? ''}`;
		await createWebhook(client, teamId, { name, url, notifications });
		// Another main process of n8n may have created a webhook at the same time. Both then keep the oldest.
		await deleteWebhooks(client, (await findWebhooks(client, teamId, url)).slice(1));
	}
	Object.assign(stored, { url, teamId });
}

/** What n8n calls when it starts, and when a workflow is published, tested or unpublished. */
export const LIFE_CYCLE = {
	default: {
		/** Always false, so that n8n calls `create`, which finds out what exists. */
		checkExists: async () => false,
		async create(this: IHookFunctions): Promise<boolean> {
			await ensure(this).catch((error: unknown) => {
				const isDown = error instanceof ApiFailure && error.details.retryable;
				if (!isDown || this.getActivationMode() !== 'init' || !read(this).isStored) {
					throw toNodeError(this, error);
				}
				createLog(this).warn(`Could not check the webhook: ${error.message}`);
			});
			return true;
		},
		/** Never throws, because n8n would then keep the route of an unpublished workflow. */
		async delete(this: IHookFunctions): Promise<boolean> {
			try {
				const { teamId, url, stored } = read(this);
				const client = await createClient(this, QUICK_SENDING);
				await deleteWebhooks(client, await findWebhooks(client, teamId, url));
				if (stored.url === url) delete stored.url;
				return true;
			} catch (error) {
				createLog(this).warn(`The webhook may be left in the service: ${String(error)}`);
				return false;
			}
		},
	},
};
