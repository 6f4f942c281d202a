import type { Sandbox } from '../../sandbox';
import { useLog } from '../support/log';
import { ALL_EVENTS, TEAM, useWebhookTriggers, WEBHOOKS } from './support';

const start = useWebhookTriggers();
const log = useLog();
/** The address of somebody else's webhook. */
const OTHER = 'https://other.example/hook';
/** The requests for webhooks fail. */
const DOWN = {
	match: { path: WEBHOOKS },
	times: 99,
	fault: { kind: 'status', status: 503 },
} as const;

const idsOf = ({ store }: Sandbox) => store.webhooks.map(({ id }) => id);
const warnings = () => log.filter(({ level }) => level === 'warn').map(({ message }) => message);
const urlsOf = ({ store }: Sandbox) => store.webhooks.map(({ url }) => url);

/** Adds webhooks to a team, as somebody else does. */
function add({ store }: Sandbox, url: string, count = 1, teamId = 1) {
	for (let index = 0; index < count; index++) {
		store.webhooks.push({
			id: store.nextId(),
			name: `Hook ${index}`,
			url,
			version_number: 2,
			notifications: ['ALL'],
			team: { id: teamId, name: 'Team' },
		});
	}
}

describe('Publishing', () => {
	it('makes one webhook of the team, named after the workflow, with what the events need', async () => {
		const { sandbox, serve } = await start();
		const node = await serve({ events: ['caseCreated', 'caseClosed'] }, { workflowName: 'React' });
		await node.activate();
		expect(sandbox.store.webhooks).toMatchObject([
			{
				name: 'n8n: React',
				url: node.url,
				notifications: ['CREATED', 'STATUS_UPDATED'],
				team: { id: 1 },
			},
		]);
	});

	it.each([
		[['commentAdded'], [], ['COMMENTED', 'FILE_ATTACHED_AND_COMMENTED']],
		[['activityAdded'], ['tags_added', 'ASSIGNED'], ['TAGS_ADDED', 'ASSIGNED']],
		[['activityAdded', 'caseCreated'], [], ['ALL']],
		[ALL_EVENTS, ['ASSIGNED'], ['ALL']],
	])('of %j with the types %j requests %j', async (events, activityTypes, expected) => {
		const { sandbox, published } = await start();
		await published({ events, activityTypes });
		expect(sandbox.store.webhooks[0].notifications).toEqual(expected);
	});

	it('again leaves the webhook as it is', async () => {
		const { sandbox, published, paths } = await start();
		const node = await published();
		const before = structuredClone(sandbox.store.webhooks);
		await node.activate('init');
		expect(sandbox.store.webhooks).toEqual(before);
		expect(paths()).toEqual([`GET ${WEBHOOKS}`]);
	});

	it.each([
		['other events', { events: ['caseCreated'] }, { notifications: ['CREATED'] }],
		['another team', { teamId: { ...TEAM, value: 2 } }, { team: { id: 2 } }],
	])('with %s leaves one webhook, for these', async (_what, parameters, expected) => {
		const { sandbox, published, serve } = await start();
		const { url, saved } = await published();
		const node = await serve(parameters, { staticData: saved(), publicUrl: new URL(url).origin });
		await node.activate();
		expect(sandbox.store.webhooks).toMatchObject([{ url, ...expected }]);
	});

	it('keeps the oldest of several with its URL, and those of others', async () => {
		const { sandbox, serve } = await start();
		const node = await serve();
		add(sandbox, OTHER);
		add(sandbox, node.url, 3);
		const [others, oldest] = idsOf(sandbox);
		await node.activate();
		expect(idsOf(sandbox)).toEqual([others, oldest]);
	});

	it('on several mains at once leaves one webhook', async () => {
		const { sandbox, serve } = await start();
		const publicUrl = 'http://127.0.0.1:9';
		const mains = await Promise.all([1, 2, 3].map(async () => await serve({}, { publicUrl })));
		await Promise.all(mains.map(async (main) => await main.activate('init')));
		expect(urlsOf(sandbox)).toEqual([mains[0].url]);
	});

	it('makes a webhook again that somebody deleted, and says so in the log', async () => {
		const { sandbox, published } = await start();
		const node = await published();
		sandbox.store.webhooks.length = 0;
		await node.activate('init');
		expect(urlsOf(sandbox)).toEqual([node.url]);
		expect(warnings()).toEqual([
			expect.stringContaining('no longer in the service. It is made again'),
		]);
	});

	it('costs nothing at a restart while the service is down', async () => {
		const { sandbox, published, serve } = await start();
		const node = await published();
		sandbox.faults.add(DOWN);
		await node.activate('init');
		expect(warnings()).toEqual([expect.stringContaining('Could not check the webhook')]);
		// Publishing may need another webhook, so it fails, and n8n tries again.
		await expect(node.activate('update')).rejects.toMatchObject({ httpCode: '503' });
		const fresh = await serve({}, { webhookId: 'other' });
		await expect(fresh.activate()).rejects.toMatchObject({ httpCode: '503' });
	});

	it('fails where a deleted webhook cannot be made again', async () => {
		const { sandbox, published } = await start();
		const node = await published();
		sandbox.store.webhooks.length = 0;
		sandbox.faults.add({ match: { method: 'POST' }, fault: { kind: 'status', status: 503 } });
		await expect(node.activate('init')).rejects.toMatchObject({ httpCode: '503' });
	});

	it('warns of an address that only this machine reaches, where the service is elsewhere', async () => {
		const { published, serve } = await start();
		await published();
		expect(warnings()).toEqual([]);
		const casesApi = { baseUrl: 'https://tenant.invalid', apiKey: 'key' };
		const node = await serve({}, { credentials: { casesApi } });
		await expect(node.activate()).rejects.toThrow();
		expect(warnings()[0]).toMatch(/Only this machine can reach 127\.0\.0\.1:\d+.*N8N_WEBHOOK_URL/);
	});
});

describe('Publishing fails, and leaves nothing,', () => {
	const refusedWith = async (
		parameters: Record<string, unknown>,
		prepare: (sandbox: Sandbox) => void = () => {},
		credential: (sandbox: Sandbox) => string = ({ keys }) => keys.tenantOwner,
	) => {
		const { sandbox, serve } = await start();
		prepare(sandbox);
		const before = structuredClone(sandbox.store.webhooks);
		const casesApi = { baseUrl: sandbox.url, apiKey: credential(sandbox) };
		const node = await serve(parameters as never, { credentials: { casesApi } });
		const error = await node.activate().then(
			() => undefined,
			(thrown: Error & { description: string }) => thrown,
		);
		expect(sandbox.store.webhooks).toEqual(before);
		expect(node.saved()).toEqual({});
		return `${error?.message}. ${error?.description}`;
	};

	it('where the team has five webhooks', async () => {
		const said = await refusedWith({}, (sandbox) => add(sandbox, OTHER, 5));
		expect(said).toMatch(/already has 5.*A team can have five webhooks.*a Switch node after it/);
	});

	it('where the service refuses the webhook, in the words of the service', async () => {
		const body = { error: 'Url must be https' };
		const fault = { kind: 'status', status: 422, body } as const;
		const said = await refusedWith({}, ({ faults }) =>
			faults.add({ match: { method: 'POST' }, fault }),
		);
		// n8n shows the message only, when it publishes.
		expect(said).toMatch(/rejected the values \(422\)\. The service says: Url must be https/);
	});

	it('where there is no such team, or the key has no right to it', async () => {
		expect(await refusedWith({ teamId: { ...TEAM, value: 99 } })).toMatch(
			/Not found.*access.*of team 99/,
		);
		const teamId = { ...TEAM, value: 3 };
		const said = await refusedWith({ teamId }, undefined, ({ keys }) => keys.team);
		expect(said).toMatch(/Not found.*access/);
	});

	it.each([
		[{ teamId: { ...TEAM, value: '' } }, /No team ID was given/],
		[{ events: [] }, /'Trigger On' is empty/],
		[{ events: "={{ ['caseMatched'] }}", filters: { status: 'OPEN' } }, /no event "caseMatched"/],
		[{ filters: { status: 'OPEN' } }, /'Case Closed' can never start/],
	])('with %j', async (parameters, expected) => {
		expect(await refusedWith(parameters)).toMatch(expected);
	});
});

describe('Unpublishing', () => {
	it('deletes the webhook, and only that', async () => {
		const { sandbox, published } = await start();
		const node = await published();
		add(sandbox, OTHER);
		expect(await node.deactivate()).toBe(true);
		expect(urlsOf(sandbox)).toEqual([OTHER]);
	});

	it('succeeds while the service is down, and the next publishing leaves one webhook', async () => {
		const { sandbox, published } = await start();
		const node = await published();
		sandbox.faults.add(DOWN);
		expect(await node.deactivate()).toBe(false);
		expect(warnings()).toEqual([expect.stringContaining('may be left')]);
		sandbox.faults.clear();
		await node.activate();
		expect(urlsOf(sandbox)).toEqual([node.url]);
	});
});

describe('A test run', () => {
	it('makes and deletes only the webhook with the test URL', async () => {
		const { sandbox, published, serve } = await start();
		const node = await published();
		const staticData = node.saved();
		const publicUrl = new URL(node.url).origin;
		const test = await serve({ events: ['caseCreated'] }, { isTest: true, staticData, publicUrl });
		await test.activate('manual');
		expect(urlsOf(sandbox)).toEqual([node.url, test.url]);
		expect(test.url).toContain('/webhook-test/');
		await test.deactivate();
		expect(urlsOf(sandbox)).toEqual([node.url]);
	});
});

describe('A crash', () => {
	it.each([1, 2, 3, 4, 5, 6, 7])(
		'after request %i leaves one webhook, once activation has run to its end',
		async (last) => {
			const { sandbox, published, serve } = await start();
			const former = await published({}, { publicUrl: 'http://127.0.0.1:9' });
			// Another address, other events, and two leftovers of them.
			const node = await serve({ events: ['caseCreated'] }, { staticData: former.saved() });
			add(sandbox, OTHER);
			add(sandbox, node.url, 2);
			let count = 0;
			const die = () => {
				if (++count === last) sandbox.faults.add({ times: 99, fault: { kind: 'drop' } });
			};
			sandbox.faults.add({ times: 99, fault: { kind: 'change', run: die } });
			const outcome = await node.activate().then(
				() => 'published',
				() => 'dead',
			);
			// Seven requests: two lists, a deletion there, two here, a creation, a list.
			expect(outcome).toBe(last === 7 ? 'published' : 'dead');
			sandbox.faults.clear();
			await node.activate('init');
			expect(urlsOf(sandbox)).toEqual([OTHER, node.url]);
			expect(sandbox.store.webhooks[1].notifications).toEqual(['CREATED']);
		},
	);
});
