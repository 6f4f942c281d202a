/** Takes a line for n8n's log: what was skipped, and why. */
export type Warn = (text: string) => void;

/** A case as the log names it. Where it has no ID, its identity is its whole content, which the log never holds. */
export function nameInLog(identity: string): string {
	return /^[\w-]{1,40}$/.test(identity) ? identity : 'without an ID';
}
