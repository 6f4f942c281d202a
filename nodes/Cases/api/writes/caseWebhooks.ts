import { deleteAt, fetchPage, type Client } from '../http/client';
import { ApiFailure } from '../failures/failure';
import { FULL_TEAM } from '../failures/failureTable';
import { exactId } from '../identity';
import { MAX_PAGE_SIZE, type Row } from '../types';
import { tidyUrl } from '../http/url';

const PATH = '/api/v1/case_webhooks';

/** Puts the description and more into the message of a refusal: n8n shows only the message when it publishes a workflow. */
const refused = (more: string) => (failure: unknown) => {
	if (!(failure instanceof ApiFailure) || failure.details.retryable) throw failure;
	const { message, details } = failure;
	throw new ApiFailure(`${message}. ${details.description} ${more}`, details);
};

/** The webhooks of a team that call a URL, oldest first. One page has all: a team has at most five. @throws ApiFailure */
export async function findWebhooks(client: Client, team_id: string, url: string): Promise<Row[]> {
	const query = { team_id, per_page: MAX_PAGE_SIZE, page: 1 };
	const read = fetchPage(client, PATH, 'webhooks', query);
	const { rows } = await read.catch(refused(`Requested were the webhooks of team ${team_id}.`));
	const own = rows.filter((row) => tidyUrl(String(row.url)) === tidyUrl(url));
	return own.sort((a, b) => Number(a.id) - Number(b.id));
}

/** @param webhook `name`, `url` and `notifications`: types of activities in capitals, or `ALL` */
export async function createWebhook(client: Client, teamId: string, webhook: Row): Promise<void> {
	const body = { team_id: Number(teamId), ...webhook };
	await client.send({ method: 'POST', path: PATH, body }).catch(refused(FULL_TEAM));
}

/** Deletes webhooks. Skips those that are gone already. @throws ApiFailure */
export async function deleteWebhooks(client: Client, webhooks: Row[]): Promise<void> {
	for (const { id } of webhooks) await deleteAt(client, `${PATH}/${exactId(id)}`);
}
