/**
 * Most bytes of an answer, once it is unpacked. It suits 500 whole cases of 128 KB each; a case with a full first page
 * of activities has about 20 KB.
 */
export const MAX_BODY_BYTES = 64 * 1024 * 1024;

/**
 * Reads the bytes of a body while it comes in. Leaving the loop early closes the connection.
 * @returns undefined when the body is longer than `maxBytes`
 * @throws what ends the body early
 */
export async function readBody(
	body: AsyncIterable<Uint8Array>,
	maxBytes: number,
): Promise<Buffer | undefined> {
	const chunks: Uint8Array[] = [];
	let bytes = 0;
	for await (const chunk of body) {
		bytes += chunk.length;
		if (bytes > maxBytes) return undefined;
		chunks.push(chunk);
	}
	return Buffer.concat(chunks);
}

/** Node decodes bytes that are all ASCII several times as fast as others, so most of these pieces are. */
const PIECE_BYTES = 2048;

/** Decodes UTF-8, without a byte order mark, which JSON must not have. */
export function decodeText(body: Buffer): string {
	let text = '';
	for (let start = 0, end = 0; start < body.length; start = end) {
		end = Math.min(start + PIECE_BYTES, body.length);
		// A piece ends between two characters: 10xxxxxx continues one.
		while (end < body.length && (body[end] & 0xc0) === 0x80) end++;
		text += body.toString('utf8', start, end);
	}
	return text.startsWith('\ufeff') ? text.slice(1) : text;
}

/**
 * Creates a function that decodes a body and lets go of its bytes. Whatever waited for long holds its result until the
 * next full garbage collection, and the bytes of many pages would bring that about in the middle of a run.
 * @returns a function that works once
 */
export function decodeOnce(body: Buffer): () => string {
	let bytes = body;
	return () => {
		const text = decodeText(bytes);
		bytes = Buffer.alloc(0);
		return text;
	};
}
