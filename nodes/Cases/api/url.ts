/**
 * Parses an absolute URL.
 * Not with `URL.canParse`: in Node 20 it denies hosts with letters such as ü once it was called often.
 */
export function parseUrl(text: string): URL | undefined {
	try {
		return new URL(text);
	} catch {
		return undefined;
	}
}
