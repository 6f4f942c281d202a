/** Most characters of a label that a question gets. The API document names no limit; longer ones are hard to read. */
export const MAX_LABEL_LENGTH = 100;

/**
 * The label of a question: on one line, each run of blanks as one, and at most {@link MAX_LABEL_LENGTH} characters with
 * "…" at the end of a longer one. A short label is its own.
 */
export function shortenLabel(text: string): string {
	const line = text.replace(/\s+/g, ' ').trim();
	const letters = [...line];
	return letters.length <= MAX_LABEL_LENGTH
		? line
		: `${letters
				.slice(0, MAX_LABEL_LENGTH - 1)
				.join('')
				.trimEnd()}…`;
}
