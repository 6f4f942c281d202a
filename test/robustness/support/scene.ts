import type { ICredentialDataDecryptedObject } from 'n8n-workflow';
import { ALL_GROWN, CaseStore, startSandbox, type Sandbox } from '../../../sandbox';

/** When the cases of a scene were made; its clock begins a day later. */
const BEGINNING = Date.parse('2026-01-30T12:00:00Z');
const DAY = 86_400_000;

const CASES = 25;
/** A case with some comments, and one with three pages of them. */
export const COMMENTED = 7;
export const BUSY = 9;
const COMMENTS = { [COMMENTED]: 15, [BUSY]: 150 };

/** A service for one run: cases a minute apart, and a clock that the test moves. */
export interface Scene {
	sandbox: Sandbox;
	credential: ICredentialDataDecryptedObject;
	/** The service's time, in ms since the epoch. */
	clock: { now: number };
}

/** The services that are tried: as the API document has it, but for the requests that writes need, and as it has grown since. */
export const SERVICES = ['documented', 'grown'] as const;
export type ServiceKind = (typeof SERVICES)[number];

/** A poll of a service that compares days takes other requests: test/trigger/poll.test.ts. */
const GROWN = ALL_GROWN.filter((trait) => trait !== 'by-day');

export const OLD_ACTION = {
	url: 'https://example.com/old',
	label: 'Old',
	action_type: 'page' as const,
};

const started: Sandbox[] = [];
afterAll(async () => await Promise.all(started.map(async (sandbox) => await sandbox.stop())));

export async function startScene(service: ServiceKind): Promise<Scene> {
	const clock = { now: BEGINNING + DAY };
	const store = new CaseStore({ now: () => new Date(clock.now) });
	for (let index = 0; index < CASES; index++) {
		const { case_id } = store.createCase({ created_at: BEGINNING + index * 60_000 });
		store.replaceActions(case_id, [OLD_ACTION], { updated_at: BEGINNING + index * 60_000 });
	}
	for (const [caseId, count] of Object.entries(COMMENTS)) {
		for (let index = 0; index < count; index++) {
			const created_at = BEGINNING + index * 60_000;
			store.addComment(Number(caseId), `Comment ${index}`, { created_at });
		}
	}
	const sandbox = await startSandbox({
		store,
		grown: service === 'grown' ? GROWN : ['case-writes', 'newer-requests'],
	});
	started.push(sandbox);
	const credential = { baseUrl: sandbox.url, apiKey: sandbox.keys.tenantOwner };
	return { sandbox, credential, clock };
}
