import type { Client } from '../http/client';
import { listPath } from '../http/requests';
import { isNotThere } from '../failures/failure';
import { isObject } from '../json';
import type { Row } from '../types';

/** Reads name, type and size of a file. A service from before July 2025 has only the name. @throws ApiFailure */
async function readInfo(client: Client, path: string): Promise<Row> {
	const read = async (at: string) => await client.send({ method: 'GET', path: at });
	const info = await read(`${path}/info`).catch((failure: unknown) => {
		if (!isNotThere(failure)) throw failure;
	});
	if (isObject(info?.body)) return info.body;
	const { body } = await read(path);
	return isObject(body) && isObject(body.file) ? { filename: body.file.filename } : {};
}

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
	const name = String(info.filename ?? `file-${fileId}`);
	let stored: (T & { name: string; type: string }) | undefined;
	let size = NaN;
	const { unusable } = await client.send({
		method: 'GET',
		path: `${path}/download`,
		sink: async (body, headers) => {
			size = Number(info.sizeinbytes ?? headers['content-length'] ?? NaN);
			const given = info.content_type ?? headers['content-type'];
			const type = String(given ?? 'application/octet-stream');
			stored = { ...(await store(body, name, type)), name, type };
		},
	});
	if (stored !== undefined && (Number.isNaN(size) || size === stored.size)) return stored;
	throw unusable({
		message: `File ${fileId} of case ${caseId} has ${size} bytes, but ${stored?.size} came`,
		remedy: 'Run the node again. If it happens again, a proxy may change or truncate the answers.',
	});
}
