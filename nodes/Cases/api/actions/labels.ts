/** Characters that the label of a question can have. The API document names no limit; longer ones are hard to read. */
export const MAX_LABEL_LENGTH = 100;

/** A short hash: different texts rarely have the same one. */
function lettersFor(text: string): string {
	let hash = 0;
	for (const letter of text) hash = (Math.imul(hash, 31) + letter.charCodeAt(0)) >>> 0;
	return hash.toString(36);
}

/**
 * The label of a question: on one line, each run of blanks as one, and at most {@link MAX_LABEL_LENGTH} characters. A
 * longer one ends with "…" and letters that tell it from others with the same beginning. A short label is its own.
 */
export function shortenLabel(text: string): string {
	const line = text.replace(/\s+/g, ' ').trim();
	const letters = [...line];
	if (letters.length <= MAX_LABEL_LENGTH) return line;
	const end = `… (${lettersFor(line)})`;
	return letters.slice(0, MAX_LABEL_LENGTH - end.length).join('') + end;
}
