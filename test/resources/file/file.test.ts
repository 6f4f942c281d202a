import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { IBinaryKeyData, IDataObject } from 'n8n-workflow';
import { runAsTool } from '../../support/tool';
import {
	binaryOf,
	byId,
	failureOf,
	hintsOf,
	itemsWith,
	OF_ITEM,
	pairsOf,
	reportOf,
	rowsOf,
} from '../../support/runs';
import { useService, type RunOptions } from '../../support/service';

const service = useService({ cases: 3, grown: ['case-writes', 'newer-requests'] });

const newCase = () => service.sandbox.store.createCase().case_id;
const filesOf = (id: number) =>
	service.sandbox.store
		.getCase(id)
		.activities()
		.flatMap(({ file }) => file ?? []);
const run = async (operation: string, parameters: object, options?: RunOptions) =>
	await service.run({ resource: 'file', operation, caseId: OF_ITEM, ...parameters }, options);
const upload = async (ids: number[], binary: IBinaryKeyData, parameters: object = {}) =>
	await run('upload', parameters, { items: itemsWith(ids), binary });
const download = async (items: IDataObject[], options: RunOptions = {}) =>
	await run('download', { fileId: '={{ $json.file }}' }, { items, ...options });
const addFile = (id: number, filename: string, bytes: Buffer) =>
	service.sandbox.store.addActivity(id, 'FILE_ATTACHED', { file: { filename, bytes } }).id;
const bytesIn = (binary: IBinaryKeyData | undefined, field = 'data') =>
	Buffer.from(binary?.[field].data ?? '', 'base64');
const LOST = { kind: 'drop', applied: true } as const;
const BYTES = Buffer.from([0, 255, 137, 80, 10]);
const NAME = 'Größe "1".html';
const MAIL = binaryOf({ data: ['mail.eml', Buffer.from('From: ada')] });

describe('File: Upload', () => {
	it('attaches the file of each item byte for byte, and returns it', async () => {
		const [id, other] = [newCase(), newCase()];
		const added = await upload([id, other], binaryOf({ data: [NAME, BYTES] }), {
			options: { comment: 'Look', author_email: 'Ana.Lindqvist@example.com' },
		});
		expect(filesOf(id)).toEqual([{ filename: NAME, bytes: BYTES }]);
		expect(rowsOf(added)[1]).toEqual({
			case_id: other,
			file_id: expect.any(Number) as number,
			file_name: NAME,
			comment: 'Look',
			author: 'Ana Lindqvist',
			author_email: 'ana.lindqvist@example.com',
			created_at: expect.any(String) as string,
		});
		expect(pairsOf(added)).toEqual([[0], [1]]);
	});

	it.each(['a, b', '={{ Object.keys($binary) }}'])(
		'attaches several files of one item, the comment with the first: %s',
		async (fields) => {
			const id = newCase();
			const binary = binaryOf({ a: ['a.txt', BYTES], b: ['b.txt', Buffer.alloc(0)] });
			const parameters = {
				inputBinaryField: fields,
				options: { comment: 'Both', fileName: 'first.txt' },
			};
			const added = await upload([id], binary, parameters);
			expect(rowsOf(added).map(({ file_name, comment }) => [file_name, comment])).toEqual([
				['first.txt', 'Both'],
				['b.txt', ''],
			]);
			expect(pairsOf(added)).toEqual([[0], [0]]);
			expect(filesOf(id).map(({ bytes }) => bytes.length)).toEqual([5, 0]);
		},
	);

	it.each([
		['a field that is not there', MAIL, { inputBinaryField: 'mail' }, /no binary field 'mail'/],
		['no field', MAIL, { inputBinaryField: ' ' }, /'Input Binary Field' has no name/],
		['a file without a name', binaryOf({ data: ['', BYTES] }), {}, /has no name/],
		['a line break', binaryOf({ data: ['a\nb', BYTES] }), {}, /or one with a line break/],
		['half an emoji', binaryOf({ data: ['\ud83d.txt', BYTES] }), {}, /broken character/],
		[
			'a file of more than 50 MB',
			{ data: { ...MAIL.data, bytes: 50 * 1024 * 1024 + 1 } },
			{},
			/has 51 MB, and may have at most 50/,
		],
	])('refuses %s before any request', async (_what, binary, parameters, message) => {
		const failed = failureOf(await upload([newCase()], binary, parameters));
		expect(failed).toMatchObject({ name: 'NodeOperationError', item: 0 });
		expect(failed.message).toMatch(message);
		expect(service.paths()).toEqual([]);
	});

	it('takes the name from the option where it is given', async () => {
		const id = newCase();
		await upload([id], binaryOf({ data: ['', BYTES] }), { options: { fileName: 'a.bin' } });
		expect(filesOf(id)[0].filename).toBe('a.bin');
	});

	it('finds the file in the list after a lost answer, and never sends it twice', async () => {
		const id = newCase();
		service.sandbox.faults.add({ match: { method: 'POST' }, fault: LOST });
		expect(rowsOf(await upload([id], MAIL))).toMatchObject([{ file_name: 'mail.eml' }]);
		expect(filesOf(id)).toHaveLength(1);
		expect(service.paths().filter((path) => path.startsWith('POST'))).toHaveLength(1);
	});

	it('says that the file may still arrive where the list lacks it, and what was written before', async () => {
		const id = newCase();
		service.sandbox.faults.add({
			match: { method: 'POST', nth: 2 },
			fault: { kind: 'drop', applied: false },
		});
		const binary = binaryOf({ a: ['a', BYTES], b: ['b', BYTES] });
		const failed = failureOf(await upload([id, newCase()], binary, { inputBinaryField: 'a,b' }));
		expect(failed.description).toMatch(
			/check whether the case has the file\. If not, it may still/,
		);
		expect(reportOf(failed.description).perhaps).toHaveLength(1);
	});
});

describe('File: Download', () => {
	it.each([
		['plain bytes', 'a.bin', BYTES, 'application/octet-stream'],
		['no byte', 'empty.txt', Buffer.alloc(0), 'text/plain'],
		['a special name', NAME, BYTES, 'text/html'],
	])('puts a file into a binary field: %s', async (_what, name, bytes, type) => {
		const id = newCase();
		const file = addFile(id, name, bytes);
		const { items, ...rest } = await run(
			'download',
			{ fileId: '={{ $json.file }}', outputBinaryField: 'mail' },
			{ items: [{ id, file }] },
		);
		const row = { case_id: id, file_id: file, file_name: name, mime_type: type };
		expect(rowsOf({ items, ...rest })).toEqual([{ ...row, size: bytes.length }]);
		expect(bytesIn(items[0].binary, 'mail')).toEqual(bytes);
		expect(items[0].binary?.mail).toMatchObject({ fileName: name, mimeType: type });
		const [, request] = service.sandbox.requests;
		expect(request.headers).toMatchObject({ accept: '*/*' });
	});

	it('keeps the files that the item has', async () => {
		const id = newCase();
		const items = [{ id, file: addFile(id, 'a', BYTES) }];
		const parameters = { fileId: '={{ $json.file }}', outputBinaryField: 'evidence' };
		const made = await run('download', parameters, { items, binary: MAIL });
		expect(bytesIn(made.items[0].binary, 'evidence')).toEqual(BYTES);
		expect(made.items[0].binary?.data).toEqual(MAIL.data);
	});

	it('downloads equal files once, and gives each item its file', async () => {
		const id = newCase();
		const item = { id, file: addFile(id, 'a', BYTES) };
		const made = await download([item, item]);
		expect(pairsOf(made)).toEqual([[0], [1]]);
		expect(made.items.map(({ binary }) => bytesIn(binary))).toEqual([BYTES, BYTES]);
		expect(service.paths()).toHaveLength(2);
		expect(hintsOf(made)).toEqual([expect.stringMatching(/Execute Once/)]);
	});

	it('gives a failed item no file, and the others theirs', async () => {
		const id = newCase();
		const file = addFile(id, 'a', BYTES);
		const items = [
			{ id, file: 9 },
			{ id, file },
		];
		const made = await download(items, { onError: 'continueRegularOutput' });
		expect(made.items[0]).toMatchObject({
			json: { error: expect.stringMatching(/File 9 of case \d+ not found/) as string },
			pairedItem: [{ item: 0 }],
		});
		expect(made.items[0].binary).toBeUndefined();
		expect(bytesIn(made.items[1].binary)).toEqual(BYTES);
	});

	it.each([
		['fewer', { kind: 'truncatedJson' } as const, /has 5 bytes, but 3 came/],
		['more', { kind: 'lengthened', bytes: 2 } as const, /has 5 bytes, but 7 came/],
	])('is an error where %s bytes come than the service says', async (_what, fault, message) => {
		const id = newCase();
		const file = addFile(id, 'a', BYTES);
		service.sandbox.faults.add({ match: { path: 'download' }, fault });
		const made = await download([{ id, file }]);
		expect(failureOf(made).message).toMatch(message);
		expect(made.items).toEqual([]);
	});

	it.each(['drop', 'reset'] as const)('is retried after a lost connection: %s', async (kind) => {
		const id = newCase();
		const file = addFile(id, 'a', BYTES);
		service.sandbox.faults.add({ match: { path: 'download' }, fault: { kind } });
		const made = await download([{ id, file }]);
		expect(bytesIn(made.items[0].binary)).toEqual(BYTES);
	});

	it('takes as long as bytes come, however long that is, and ends when none come', async () => {
		const id = newCase();
		const file = addFile(id, 'a', Buffer.alloc(1000));
		const slow = { kind: 'slow', pieces: 6, everyMs: 400 } as const;
		service.sandbox.faults.add({ match: { path: 'download' }, fault: slow });
		const within = async (timeout: number) =>
			await run(
				'download',
				{ fileId: String(file), options: { timeout, maxRetries: 0 } },
				{ items: [{ id }] },
			);
		expect(rowsOf(await within(1000))).toMatchObject([{ size: 1000 }]);
		const still = { kind: 'slow', pieces: 2, everyMs: 600_000 } as const;
		service.sandbox.faults.add({ match: { path: 'download' }, fault: still });
		expect(failureOf(await within(300)).message).toMatch(/did not answer in time|took too long/i);
	});

	it('ends with the run that is cancelled, and leaves no item', async () => {
		const id = newCase();
		const file = addFile(id, 'a', Buffer.alloc(1000));
		const still = { kind: 'slow', pieces: 2, everyMs: 600_000 } as const;
		service.sandbox.faults.add({ match: { path: 'download' }, fault: still });
		const stop = new AbortController();
		const running = download([{ id, file }], { signal: stop.signal });
		while (!service.paths().some((path) => path.endsWith('download'))) await sleep(5);
		stop.abort();
		expect(await running).toMatchObject({ status: 'canceled', items: [] });
	});
});

describe('A service that is older or elsewhere', () => {
	let server: Server;
	let answer: RequestListener;
	beforeAll(async () => {
		server = createServer((request, response) => answer(request, response));
		await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	});
	afterAll(async () => await new Promise((resolve) => server.close(resolve)));
	const fromServer = async (listener: RequestListener) => {
		answer = listener;
		const { port } = server.address() as AddressInfo;
		const baseUrl = `http://127.0.0.1:${port}`;
		const parameters = { fileId: '5', options: { maxRetries: 0 } };
		return await run('download', parameters, { items: [{ id: 7 }], credential: { baseUrl } });
	};
	const json = { 'content-type': 'application/json' };
	const ENTRY = JSON.stringify({ id: 5, file: { filename: 'a.txt', url: 'http://x.example/5' } });

	it('has no description of files: name and type come from the entry and the answer', async () => {
		const made = await fromServer((request, response) => {
			if (request.url?.endsWith('/info')) response.writeHead(404, json).end('{}');
			else if (request.url?.endsWith('/5')) response.writeHead(200, json).end(ENTRY);
			else response.writeHead(200, { 'content-type': 'text/plain' }).end('Hello');
		});
		expect(rowsOf(made)).toMatchObject([{ file_name: 'a.txt', mime_type: 'text/plain', size: 5 }]);
	});

	it('has no description of files: a download that is cut short is an error', async () => {
		const made = await fromServer((request, response) => {
			if (request.url?.endsWith('/info')) response.writeHead(404, json).end('{}');
			else if (request.url?.endsWith('/5')) response.writeHead(200, json).end(ENTRY);
			else {
				response.writeHead(200, { 'content-length': 10 }).write('Hello');
				setTimeout(() => response.destroy(), 20);
			}
		});
		expect(made.items).toEqual([]);
		expect(failureOf(made).message).toMatch(/^Connection to .* lost$/);
	});

	it('describes a file without a name: its ID stands for it', async () => {
		const made = await fromServer((request, response) =>
			request.url?.endsWith('/info')
				? response.writeHead(200, json).end('{}')
				: response.writeHead(200).end('Hello'),
		);
		expect(rowsOf(made)).toMatchObject([{ file_name: 'file-5', size: 5 }]);
	});

	it('redirects a download: the key is not carried along', async () => {
		const paths: unknown[] = [];
		const made = await fromServer(({ url }, response) => {
			paths.push(url?.split('/').at(-1));
			if (url?.endsWith('/info')) response.writeHead(200, json).end('{"filename":"a"}');
			else response.writeHead(302, { location: '/elsewhere' }).end();
		});
		expect(failureOf(made).message).toMatch(/redirects to another address/);
		expect(paths).toEqual(['info', 'download']);
	});
});

it.each(['upload', 'download'])('%s refuses to be a tool before any request', async (operation) => {
	const parameters = { resource: 'file', operation, caseId: byId(1), fileId: '1' };
	await expect(runAsTool(parameters, service.credential())).rejects.toMatchObject({
		message: expect.stringMatching(/^Files can't be uploaded or downloaded by a tool/) as string,
	});
	expect(service.paths()).toEqual([]);
});

it('Get Many and Delete are tools', async () => {
	const id = newCase();
	const fileId = String(addFile(id, 'mail.eml', BYTES));
	const call = async (operation: string) => {
		const parameters = { resource: 'file', operation, caseId: byId(id), fileId };
		return (await runAsTool(parameters, service.credential())).items.map(({ json }) => json);
	};
	expect(await call('getAll')).toMatchObject([{ file_name: 'mail.eml' }]);
	expect(await call('delete')).toMatchObject([{ deleted: true }]);
	expect(filesOf(id)).toEqual([]);
});

describe('Get as Text', () => {
	it('has the files if they are chosen, and otherwise does not request them', async () => {
		const id = newCase();
		addFile(id, 'mail.eml', BYTES);
		const textOf = async (sections: string[]) => {
			const parameters = { resource: 'case', operation: 'digest', caseId: byId(id) };
			const [{ text }] = rowsOf(await service.run({ ...parameters, options: { sections } }));
			return String(text);
		};
		expect(await textOf(['files'])).toMatch(/## Files\n\n- .*mail\.eml, file_id: \d+/);
		expect(service.paths()).toEqual(['GET /api/v2/cases', `GET /api/v2/cases/${id}/files`]);
		service.sandbox.clearRequests();
		expect(await textOf([])).not.toContain('Files');
		expect(service.paths()).toEqual(['GET /api/v2/cases']);
	});
});

describe('File: Get Many and Delete', () => {
	it('list the files of a case, and delete one', async () => {
		const id = newCase();
		const [file] = [addFile(id, 'a', BYTES), addFile(id, 'b', BYTES)];
		const items = [{ id, file }];
		const listed = await run('getAll', { returnAll: true }, { items });
		expect(rowsOf(listed).map(({ file_name }) => file_name)).toEqual(['a', 'b']);
		const deleted = await run('delete', { fileId: '={{ $json.file }}' }, { items });
		expect(rowsOf(deleted)).toEqual([{ case_id: id, file_id: file, deleted: true }]);
		const again = await run('delete', { fileId: '={{ $json.file }}' }, { items });
		expect(failureOf(again).message).toMatch(/File \d+ of case \d+ not found, or no access/);
		expect(failureOf(again).description).toMatch(
			/Only the uploader of a file or an administrator may delete it/,
		);
	});
});
