/** Takes the API key out of a text. */
type Redact = (text: string) => string;

const redactors = new WeakMap<object, Redact>();

/** Remembers, for as long as n8n has this context, how the key of its credential is taken out of texts. */
export function rememberRedactor(context: object, redact: Redact): void {
	redactors.set(context, redact);
}

/**
 * Takes the API key out of what leaves the node as an error, a hint or a line of the log: each may quote a value from
 * the service, which may repeat the key. Without a client nothing came from the service yet, and texts stay as they are.
 */
export function redactorOf(context: object): Redact {
	return redactors.get(context) ?? ((text) => text);
}
