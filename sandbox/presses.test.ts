import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { html } from './html';
import { startForTest, storeWith } from './testSupport';

interface Received {
	method?: string;
	url?: string;
	type?: string;
	body: unknown;
}

/** What stands behind a webhook button: answers 200 and keeps what was posted. */
async function useReceiver() {
	const received: Received[] = [];
	const server = createServer((request: IncomingMessage, response) => {
		let text = '';
		request.on('data', (chunk: Buffer) => (text += chunk.toString()));
		request.on('end', () => {
			const { method, url, headers } = request;
			received.push({ method, url, type: headers['content-type'], body: JSON.parse(text) });
			response.end('<b>Thank you</b>');
		});
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	const { port } = server.address() as AddressInfo;
	return { received, url: `http://127.0.0.1:${port}`, close: () => server.close() };
}

let receiver: Awaited<ReturnType<typeof useReceiver>>;
beforeAll(async () => {
	receiver = await useReceiver();
});
afterAll(() => receiver.close());

/** A sandbox with one case whose buttons lead to the receiver. */
async function withButtons(prefix = '') {
	receiver.received.length = 0;
	const store = storeWith([{ name: 'Odd <login>' }]);
	store.replaceActions(1, [
		{ url: `${receiver.url}/run?signature=abc&a=1`, label: 'Approve', action_type: 'webhook' },
		{ url: `${receiver.url}/1`, label: 'Twice', action_type: 'webhook' },
		{
			url: `${receiver.url}/2`,
			label: 'Twice',
			action_type: 'webhook',
			query_params: { host: 'a b' },
		},
		{ url: 'https://runbooks.example/?a=1&b=2', label: 'Runbook', action_type: 'page' },
	]);
	return await startForTest({ store, prefix });
}

const pageOf = async (url: string, init?: RequestInit) => {
	const response = await fetch(url, init);
	return { status: response.status, url: response.url, text: await response.text() };
};

describe('A pressed button', () => {
	it('posts who, what and where to its URL, and keeps the query of the URL', async () => {
		const sandbox = await withButtons();
		const press = await sandbox.press(1, 'Approve', { user_id: 2, message: 'Go ahead' });
		expect(receiver.received).toEqual([
			{
				method: 'POST',
				url: '/run?signature=abc&a=1',
				type: 'application/json',
				body: {
					user: {
						id: 2,
						first_name: 'Bruno',
						last_name: 'Okafor',
						email: 'bruno.okafor@example.com',
					},
					button: {
						id: expect.any(Number) as number,
						label: 'Approve',
						type: 'webhook',
						url: `${receiver.url}/run?signature=abc&a=1`,
					},
					case: {
						id: 1,
						name: 'Odd <login>',
						status: 'OPEN',
						priority: 'MEDIUM',
						url: `${sandbox.url}/cases/1`,
					},
					message: 'Go ahead',
				},
			},
		]);
		expect(press).toMatchObject({ status: 200, answer: '<b>Thank you</b>' });
		expect(sandbox.presses).toEqual([press]);
		expect(sandbox.requests).toEqual([]);
	});

	it('is found by its URL where a label stands twice, and sends its parameters', async () => {
		const sandbox = await withButtons();
		await expect(sandbox.press(1, 'Twice')).rejects.toThrow("2 buttons 'Twice'");
		await sandbox.press(1, 'Twice', { url: `${receiver.url}/2` });
		expect(receiver.received).toMatchObject([{ url: '/2?host=a+b', body: { host: 'a b' } }]);
	});

	it('has to be there, and to be a webhook', async () => {
		const sandbox = await withButtons();
		await expect(sandbox.press(1, 'Decline')).rejects.toThrow("no button 'Decline'");
		await expect(sandbox.press(1, 'Runbook')).rejects.toThrow('opens a page');
		await expect(sandbox.press(9, 'Approve')).rejects.toThrow('no case 9');
		expect(sandbox.presses).toEqual([]);
	});

	it('keeps why there was no answer', async () => {
		const sandbox = await withButtons();
		const gone = await useReceiver();
		gone.close();
		sandbox.store.replaceActions(1, [{ url: gone.url, label: 'Gone', action_type: 'webhook' }]);
		const press = await sandbox.press(1, 'Gone');
		expect(press.error).toContain('ECONNREFUSED');
		expect(press).not.toHaveProperty('status');
	});

	it('can be pressed from another process', async () => {
		const { controlUrl } = await withButtons();
		const press = async (label: string) => {
			const init = { method: 'POST', body: JSON.stringify({ label }) };
			return (await pageOf(`${controlUrl}/cases/1/press`, init)).text;
		};
		expect(JSON.parse(await press('Approve'))).toMatchObject({ status: 200 });
		expect(JSON.parse((await pageOf(`${controlUrl}/presses`)).text)).toHaveLength(1);
		expect(await press('Decline')).toContain("no button 'Decline'");
	});
});

describe('The page of a case', () => {
	it('shows the case and its buttons, escaped, and needs no key', async () => {
		const sandbox = await withButtons();
		const { status, text } = await pageOf(`${sandbox.url}/cases/1`);
		expect(status).toBe(200);
		expect(text).toContain('Odd &lt;login&gt;');
		expect(text).not.toContain('<login>');
		expect(text).toContain('href="https://runbooks.example/?a=1&amp;b=2"');
		expect(text.match(/<button class/g)).toHaveLength(3);
		expect(sandbox.requests).toEqual([]);
	});

	it.each(['', '/tenant-a'])(
		'presses a button and shows what it answered, below %j',
		async (prefix) => {
			const sandbox = await withButtons(prefix);
			const [first] = sandbox.store.getCase(1).actions();
			const { url, text } = await pageOf(`${sandbox.url}/cases/1/press`, {
				method: 'POST',
				body: new URLSearchParams({ action: String(first.id), user: '3', message: 'Yes' }),
			});
			expect(receiver.received[0].body).toMatchObject({
				user: { id: 3 },
				button: { label: 'Approve' },
				message: 'Yes',
			});
			expect(url).toBe(`${sandbox.url}/cases/1`);
			expect(text).toContain('by Chiara Novak');
			expect(text).toContain('answered 200');
			expect(text).toContain('&lt;b&gt;Thank you&lt;/b&gt;');
		},
	);

	it('is missing where the case or the button is', async () => {
		const sandbox = await withButtons();
		expect((await pageOf(`${sandbox.url}/cases/9`)).status).toBe(404);
		const press = { method: 'POST', body: new URLSearchParams({ action: '0' }) };
		expect((await pageOf(`${sandbox.url}/cases/1/press`, press)).status).toBe(404);
		expect(receiver.received).toEqual([]);
	});

	it('is linked from the list of cases, of all teams or of one', async () => {
		const sandbox = await startForTest({ cases: 60, prefix: '/tenant-a' });
		const { text } = await pageOf(`${sandbox.url}/cases`);
		expect(text).toContain('the 50 edited last of 60 cases');
		expect(text.match(/href="\/tenant-a\/cases\/\d+"/g)).toHaveLength(50);
		const soc = [...sandbox.store.cases()].filter(({ team }) => team.id === 1).length;
		expect((await pageOf(`${sandbox.url}/team/1/cases`)).text).toContain(`${soc} cases of SOC`);
	});

	it('runs no script that stands in a label, a URL or a name', () => {
		const evil = `"><script>alert('x')</script>`;
		expect(html`<a title="${evil}">${[evil, null, false]}</a>`.text).not.toContain('<script>');
		expect(html`<a>${html`<b>${1}</b>`}</a>`.text).toBe('<a><b>1</b></a>');
	});
});
