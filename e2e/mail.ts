import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { createInterface } from 'node:readline';

/** A mail as it arrived. */
export interface Mail {
	to: string[];
	subject: string;
	/** Decoded, with simple line ends. */
	text: string;
}

/** A mail server that takes everything: SMTP without a login and without encryption. */
export interface MailServer {
	port: number;
	readonly mails: Mail[];
	stop(): Promise<void>;
}

export async function startMailServer(): Promise<MailServer> {
	const mails: Mail[] = [];
	const sockets = new Set<Socket>();
	const server = createServer((socket) => {
		sockets.add(socket.on('close', () => sockets.delete(socket)));
		receive(socket, mails);
	});
	server.listen(0, '127.0.0.1');
	await once(server, 'listening');
	const { port } = server.address() as AddressInfo;
	const stop = async () => {
		for (const socket of sockets) socket.destroy();
		await new Promise((resolve) => server.close(resolve));
	};
	return { port, mails, stop };
}

function receive(socket: Socket, mails: Mail[]) {
	const say = (line: string) => socket.write(`${line}\r\n`);
	let to: string[] = [];
	let data: string[] | undefined;
	say('220 here');
	createInterface({ input: socket }).on('line', (line) => {
		if (data !== undefined) {
			if (line !== '.') return void data.push(line.replace(/^\./, ''));
			mails.push(parse(to, data));
			data = undefined;
			to = [];
			say('250 taken');
			return;
		}
		const [, recipient] = /^RCPT TO:<(.+)>/i.exec(line) ?? [];
		if (recipient) to.push(recipient);
		if (/^DATA/i.test(line)) data = [];
		say(data === undefined ? (/^QUIT/i.test(line) ? '221 bye' : '250 fine') : '354 go on');
	});
}

/** One text, quoted-printable, in base64 or as it is. */
function parse(to: string[], lines: string[]): Mail {
	const end = lines.indexOf('');
	const head = lines.slice(0, end).join('\n').replace(/\n\s+/g, ' ');
	const field = (name: string) => new RegExp(`^${name}: (.*)$`, 'im').exec(head)?.[1] ?? '';
	const body = lines.slice(end + 1).join('\n');
	return { to, subject: field('Subject'), text: decode(body, field('Content-Transfer-Encoding')) };
}

function decode(body: string, encoding: string): string {
	if (encoding === 'base64') return Buffer.from(body, 'base64').toString();
	if (encoding !== 'quoted-printable') return body;
	const bytes = body
		.replace(/=\n/g, '')
		.replace(/=([0-9A-F]{2})/g, (_, code: string) => String.fromCharCode(parseInt(code, 16)));
	return Buffer.from(bytes, 'latin1').toString();
}
