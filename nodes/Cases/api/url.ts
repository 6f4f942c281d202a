/**
 * Parses an absolute URL.
 * Not with `URL.canParse`: in Node 20 it refuses hosts with letters such as ü after many calls.
 */
export function parseUrl(text: string): URL | undefined {
	try {
		return new URL(text);
	} catch {
		return undefined;
	}
}
