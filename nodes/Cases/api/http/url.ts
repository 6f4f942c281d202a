/**
 * Parses a URL, which must be absolute if there is no base. `URL.canParse` isn't used, because in Node 20, after many calls, it refuses hosts with letters
 * such as ü.
 */
export function parseUrl(text: string, base?: string): URL | undefined {
	try {
		return new URL(text, base);
	} catch {
		return undefined;
	}
}

/**
 * A URL as a service may store it: with its host in lower case, for example, and a slash behind the host. A text that
 * isn't a URL stays as it is.
 */
export function tidyUrl(text: string): string {
	return parseUrl(text)?.href ?? text;
}

/** Names and addresses by which a machine reaches only itself. */
const LOCAL_HOST = /^(localhost|.+\.localhost|127(\.\d{1,3}){3}|\[::1\])$/;

export const isLocal = (url: string): boolean => LOCAL_HOST.test(new URL(url).hostname);

/** Whether the service can't call a URL of n8n: only n8n's machine reaches that URL, and the service runs on another. */
export const isOutOfReach = (url: string, serviceUrl: string): boolean =>
	isLocal(url) && !isLocal(serviceUrl);
