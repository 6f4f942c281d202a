import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { startForTest, storeWith } from './testSupport';

/** What was posted to the URL of a button. */
const received: Array<{ url?: string; body: unknown }> = [];
const server = createServer((request, response) => {
	request.on('data', (chunk: Buffer) => {
		received.push({ url: request.url, body: JSON.parse(chunk.toString()) });
	});
	request.on('end', () => response.end());
});
let origin: string;
beforeAll(async () => {
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => server.close());

it.each(['', '/tenant-a'])(
	'The page of a case has buttons that can be pressed, below %j',
	async (prefix) => {
		received.length = 0;
		const url = `${origin}/run?signature=abc`;
		const query_params = { host: 'a b' };
		const store = storeWith([{ name: 'Odd <login>' }]);
		const [{ id }] = store.replaceActions(1, [
			{ url, label: 'Approve', action_type: 'webhook', query_params },
			{ url: 'https://runbooks.example/?a=1&b=2', label: 'Runbook', action_type: 'page' },
		]);
		const sandbox = await startForTest({ store, prefix });
		const text = await (await fetch(`${sandbox.url}/cases/1`)).text();
		expect(text).toContain('Odd &#60;login&#62;');
		expect(text).not.toContain('<login>');
		expect(text).toContain('href="https://runbooks.example/?a=1&#38;b=2"');
		const body = new URLSearchParams({ action: String(id), user: '2', message: 'Go ahead' });
		const answer = await fetch(`${sandbox.url}/cases/1/press`, { method: 'POST', body });
		expect([answer.status, answer.url]).toEqual([200, `${sandbox.url}/cases/1`]);
		const email = 'bruno.okafor@example.com';
		expect(received).toEqual([
			{
				url: '/run?signature=abc&host=a+b',
				body: {
					...query_params,
					user: { id: 2, first_name: 'Bruno', last_name: 'Okafor', email },
					button: { id, label: 'Approve', type: 'webhook', url },
					case: {
						...{ id: 1, name: 'Odd <login>', status: 'OPEN', priority: 'MEDIUM' },
						url: `${sandbox.url}/cases/1`,
					},
					message: 'Go ahead',
				},
			},
		]);
		expect(sandbox.requests).toEqual([]);
	},
);

it('The page of a case has its tasks, links, records, metadata, fields and files', async () => {
	const { url } = await startForTest({ cases: 60, grown: ['case-writes'] });
	const pages = Array.from({ length: 60 }, async (_empty, at) =>
		(await fetch(`${url}/cases/${at + 1}`)).text(),
	);
	const text = (await Promise.all(pages)).join('');
	for (const heading of ['Tasks', 'Linked cases', 'Records', 'Comments']) {
		expect(text).toMatch(new RegExp(`<h2>${heading}</h2>\\s*<ul>\\s*<li>`));
	}
	expect(text).toMatch(/>Done</);
	expect(text).toMatch(/Metadata<\/span> \w+: /);
	expect(text).toMatch(/Fields<\/span> \w+.*: /);
	expect(text).toMatch(/Files<\/span> mail.eml/);
	expect(text).toMatch(/[☑☐] [A-Z]/);
});

it('The page of cases links to those edited last', async () => {
	const { url } = await startForTest({ cases: 60, prefix: '/tenant-a' });
	const text = await (await fetch(`${url}/cases`)).text();
	expect(text).toContain('60 cases');
	expect(text.match(/href="\/tenant-a\/cases\/\d+"/g)).toHaveLength(50);
});

it('A person at a terminal changes cases, and is answered with the case in one line', async () => {
	const { controlUrl, requests } = await startForTest({ cases: 2, prefix: '/tenant-a' });
	const call = async (path: string, body: object) => {
		const init = { method: 'POST', body: JSON.stringify(body) };
		return await (await fetch(controlUrl + path, init)).text();
	};
	expect(await call('/cases', { name: 'New' })).toBe('Case 3 (OPEN, MEDIUM): New, comments: 0\n');
	expect(await call('/cases/3/comments', { value: 'Hello' })).toContain('New, comments: 1\n');
	expect(await call('/cases/3/close', {})).toContain('(CLOSED, MEDIUM)');
	expect(await call('/cases/9/close', {})).toBe('{"error":"The store has no case 9"}');
	expect(requests).toEqual([]);
});
