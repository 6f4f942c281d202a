import { rmSync } from 'node:fs';
import { startKeptSandbox } from '../../tools/dev/sandbox';
import type { Sandbox } from '../../sandbox';
import { createPoller } from '../../tools/engine/poll';
import { makeTempFolder } from '../../tools/n8n/tempFolder';
import { eventsOf } from '../trigger/trigger';

const HOUR = 3_600_000;

let folder: string;
let sandbox: Sandbox | undefined;
/** How far the service's clock is ahead, in ms. */
let ahead = 0;

beforeEach(async () => {
	folder = await makeTempFolder();
});
afterEach(async () => {
	await sandbox?.stop();
	rmSync(folder, { recursive: true });
});

/** Starts the service as the next `npm run dev` would, some hours from now. */
async function start(hours: number): Promise<Sandbox> {
	const port = sandbox === undefined ? 0 : Number(new URL(sandbox.url).port);
	await sandbox?.stop();
	({ sandbox } = await startKeptSandbox(folder, port, new Date(Date.now() + hours * HOUR)));
	jest.spyOn(sandbox.store, 'now').mockImplementation(() => new Date(Date.now() + ahead));
	return sandbox;
}

async function publish({ url, keys }: Sandbox, staticData = {}) {
	return await createPoller({
		type: 'n8n-nodes-cases.casesTrigger',
		parameters: { events: ['caseCreated', 'caseUpdated', 'caseClosed', 'commentAdded'] },
		credentials: { casesApi: { baseUrl: url, apiKey: keys.tenantOwner } },
		staticData,
	});
}

/** A poll reports an edit once its second is over. */
const untilFinal = () => {
	ahead += 3000;
};

it('a published trigger reports only new changes after a restart', async () => {
	const first = await start(-48);
	const poller = await publish(first);
	expect(await poller.poll()).toBeNull();
	const made = first.store.createCase({ name: 'Before the restart' }).case_id;
	first.store.addComment(made, 'Before the restart');
	untilFinal();
	expect(await eventsOf(poller)).toEqual([`caseCreated ${made}`, `commentAdded ${made}`]);

	const second = await start(0);
	const restarted = await publish(second, poller.saved());
	expect(await restarted.poll()).toBeNull();
	const later = second.store.createCase({ name: 'After the restart' }).case_id;
	second.store.addComment(later, 'After the restart');
	untilFinal();
	expect(await eventsOf(restarted)).toEqual([`caseCreated ${later}`, `commentAdded ${later}`]);
});
