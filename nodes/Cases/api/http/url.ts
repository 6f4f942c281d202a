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

/**
 * A URL as a service may store it: with its host in lower case, for example, and a slash behind the host. What isn't a URL
 * stays as it is.
 */
export function tidyUrl(text: string): string {
	return parseUrl(text)?.href ?? text;
}

/** Hosts that only the machine itself reaches. */
const LOCAL_HOST = /^(localhost|.+\.localhost|127(\.\d{1,3}){3}|\[::1\])$/;

export const isLocal = (url: string): boolean => LOCAL_HOST.test(new URL(url).hostname);

/** Whether a service on another machine is to call an address of n8n that only n8n's machine reaches. */
export const isOutOfReach = (url: string, serviceUrl: string): boolean =>
	isLocal(url) && !isLocal(serviceUrl);
