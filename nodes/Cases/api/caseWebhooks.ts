import { fetchPage, type Client } from './client';
import { ApiFailure } from './failure';
import { exactId } from './identity';
import { MAX_PAGE_SIZE, type Row } from './types';
import { tidyUrl } from './url';
import { described } from './writes/caseWrites';

const PATH = '/api/v1/case_webhooks';
const FIVE = 'A team has five webhooks at most. Use one trigger for it, with a Switch behind it.';

/** The webhooks of a team that call a URL, the oldest first. A team has five, which fit into a page. @throws ApiFailure */
export async function findWebhooks(client: Client, team_id: string, url: string): Promise<Row[]> {
	const query = { team_id, per_page: MAX_PAGE_SIZE, page: 1 };
	const { rows } = await fetchPage(client, PATH, 'webhooks', query);
	const own = rows.filter((row) => tidyUrl(String(row.url)) === tidyUrl(url));
	return own.sort((a, b) => Number(a.id) - Number(b.id));
}

/** Makes a webhook, beyond the API document: `name`, `url` and `notifications`, types of activities in capitals or `ALL`. */
export async function createWebhook(client: Client, teamId: string, webhook: Row): Promise<void> {
	const body = { team_id: Number(teamId), ...webhook };
	await client.send({ method: 'POST', path: PATH, body }).catch((failure: unknown) => {
		throw failure instanceof ApiFailure ? described(failure, FIVE) : failure;
	});
}

/** Deletes webhooks; one may be gone already. @throws ApiFailure */
export async function deleteWebhooks(client: Client, webhooks: Row[]): Promise<void> {
	for (const { id } of webhooks) {
		const path = `${PATH}/${exactId(id)}`;
		await client.send({ method: 'DELETE', path }).catch((failure: unknown) => {
			if (!(failure instanceof ApiFailure) || failure.details.httpCode !== 404) throw failure;
		});
	}
}
