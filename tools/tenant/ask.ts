/** What of a tenant a check asks: at most this many requests, and only such that read. */
export const MOST_REQUESTS = 60;

const TIMEOUT_MS = 60_000;

export interface TenantAccess {
	/** Without a slash at its end. */
	baseUrl: string;
	apiKey: string;
	authScheme: 'header' | 'bearer';
}

export type Row = Record<string, unknown>;

/** An answer as the checks see it. */
export interface Reply {
	/** 0 where there was none. */
	status: number;
	/** The body where it is an object, otherwise an empty one. */
	body: Row;
	/** How far the service's clock is ahead of this machine's, in seconds; undefined without a Date header. */
	clockAhead?: number;
}

export const isRow = (value: unknown): value is Row =>
	typeof value === 'object' && value !== null && !Array.isArray(value);

/** The rows of a list in an answer; undefined where it has none. */
export function rowsIn({ body }: Reply, name: string): Row[] | undefined {
	const list = body[name];
	return Array.isArray(list) ? list.filter(isRow) : undefined;
}

/** The number with this name in the pagination object. */
export function metaOf({ body }: Reply, name: string): number | undefined {
	const value = isRow(body.meta) ? body.meta[name] : undefined;
	return typeof value === 'number' ? value : undefined;
}

/** Asks a tenant. @param query pairs of name and value, which are encoded */
export type Ask = (
	path: string,
	query?: Array<[string, string | number]>,
	scheme?: TenantAccess['authScheme'],
	/** Whether the body is read. Default: yes. */
	isRead?: boolean,
) => Promise<Reply>;

/** Creates the function that sends the requests: GET alone, without redirects. @returns it, and how many were sent */
export function createAsk({ baseUrl, apiKey, authScheme }: TenantAccess): {
	ask: Ask;
	sent: () => number;
} {
	let count = 0;
	const ask: Ask = async (path, query = [], scheme = authScheme, isRead = true) => {
		if (count === MOST_REQUESTS) return { status: 0, body: {} };
		count++;
		const encoded = query
			.map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`)
			.join('&');
		return await fetch(`${baseUrl}${path}${encoded === '' ? '' : `?${encoded}`}`, {
			redirect: 'manual',
			signal: AbortSignal.timeout(TIMEOUT_MS),
			headers: {
				'content-type': 'application/json',
				accept: 'application/json',
				...(scheme === 'header'
					? { 'x-user-token': apiKey }
					: { authorization: `Bearer ${apiKey}` }),
			},
		}).then(
			async (response) => await readReply(response, isRead),
			() => ({ status: 0, body: {} }),
		);
	};
	return { ask, sent: () => count };
}

async function readReply(response: Response, isRead: boolean): Promise<Reply> {
	if (!isRead) await response.body?.cancel();
	const body: unknown = isRead ? await response.json().catch(() => undefined) : undefined;
	const date = Date.parse(response.headers.get('date') ?? '');
	return {
		status: response.status,
		body: isRow(body) ? body : {},
		...(Number.isNaN(date) ? {} : { clockAhead: Math.round((date - Date.now()) / 1000) }),
	};
}
