import { notThere, type Client } from '../http/client';
import { listPath } from '../http/requests';
import { ApiFailure } from '../failures/failure';
import { isObject } from '../json';
import type { Row } from '../types';

/** What the service says of a file. */
interface FileInfo {
	name: string;
	type?: string;
	/** In bytes. */
	size?: number;
}

const unlessMissing = (failure: unknown): undefined => {
	if (!(failure instanceof ApiFailure) || failure.details.httpCode !== 404) throw failure;
};

/** Reads the name of a file, with its type and size where the service is of July 2025 or newer. @throws ApiFailure */
async function readInfo(client: Client, path: string): Promise<FileInfo | undefined> {
	const read = async (at: string): Promise<Row | undefined> => {
		const answer = await client.send({ method: 'GET', path: at }).catch(unlessMissing);
		return isObject(answer?.body) ? answer.body : undefined;
	};
	const info = await read(`${path}/info`);
	if (info !== undefined) {
		const { filename, content_type: type, sizeinbytes: size } = info;
		return {
			name: String(filename),
			type: typeof type === 'string' ? type : undefined,
			size: typeof size === 'number' ? size : undefined,
		};
	}
	const entry = await read(path);
	return isObject(entry?.file) ? { name: String(entry.file.filename) } : undefined;
}

/** The size that the headers of an answer promise. */
const lengthIn = (headers: Row): number | undefined => {
	const { 'content-length': length } = headers;
	return length === undefined ? undefined : Number(length);
};

/**
 * Downloads a file of a case. The address in the file itself is never called, because it may be on another host.
 * @param store keeps the bytes, and says how many there were
 * @throws ApiFailure also where other bytes came than the service promised
 */
export async function downloadFile<T extends { size: number }>(
	client: Client,
	caseId: string,
	fileId: string,
	store: (body: AsyncIterable<Uint8Array>, name: string, type: string) => Promise<T>,
): Promise<T & { name: string; type: string }> {
	const path = `${listPath(caseId, 'files')}/${fileId}`;
	const info = await readInfo(client, path);
	const what = `File ${fileId} of case ${caseId}`;
	if (info === undefined) {
		throw notThere(
			what,
			'Check the two IDs: Get Many of files returns them. Older versions of the service have no files.',
		);
	}
	let stored: (T & { name: string; type: string }) | undefined;
	let { size } = info;
	const { unusable } = await client.send({
		method: 'GET',
		path: `${path}/download`,
		sink: async (body, headers) => {
			const { name, type = String(headers['content-type'] ?? 'application/octet-stream') } = info;
			size ??= lengthIn(headers);
			stored = { ...(await store(body, name, type)), name, type };
		},
	});
	if (stored !== undefined && (size ?? stored.size) === stored.size) return stored;
	throw unusable({
		message: `${what} has ${size} bytes, but ${stored?.size} came`,
		remedy: 'Run the node again. If it happens again, a proxy may change or cut the answers.',
	});
}
