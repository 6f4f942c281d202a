/** How many characters the label of a question may have. The API document has no limit, but longer labels are hard to read. */
export const MAX_LABEL_LENGTH = 100;

/** A short hash of a text, in letters and digits. */
function lettersFor(text: string): string {
	let hash = 0;
	for (const letter of text) hash = (Math.imul(hash, 31) + letter.charCodeAt(0)) >>> 0;
	return hash.toString(36);
}

/**
 * Makes a label for a question: on one line, with single blanks, and with at most {@link MAX_LABEL_LENGTH} characters. A
 * longer text is truncated, and ends with "…" and a hash, so that texts with the same beginning get different labels.
 */
export function shortenLabel(text: string): string {
	const line = text.replace(/\s+/g, ' ').trim();
	const letters = [...line];
	if (letters.length <= MAX_LABEL_LENGTH) return line;
	const end = `… (${lettersFor(line)})`;
	return letters.slice(0, MAX_LABEL_LENGTH - end.length).join('') + end;
}
