/**
 * Most bytes of an answer, once it is unpacked. It suits 500 whole cases of 128 KB each; a case with a full first page
 * of activities has about 20 KB.
 */
export const MAX_BODY_BYTES = 64 * 1024 * 1024;

/**
 * Reads the text of a body while it comes in. Leaving the loop early closes the connection.
 * @returns undefined when the body is longer than `maxBytes`
 * @throws what ends the body early
 */
export async function readText(
	body: AsyncIterable<Uint8Array>,
	maxBytes: number,
): Promise<string | undefined> {
	const chunks: Uint8Array[] = [];
	let bytes = 0;
	for await (const chunk of body) {
		bytes += chunk.length;
		if (bytes > maxBytes) return undefined;
		chunks.push(chunk);
	}
	// A byte order mark, which JSON must not have, is left out.
	return new TextDecoder().decode(Buffer.concat(chunks));
}
