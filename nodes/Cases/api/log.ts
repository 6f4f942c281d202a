/**
 * Writes lines for whoever operates n8n. A line names requests by method and path, cases by their ID. It never holds
 * the API key, a query, a search text or a body.
 */
export interface Log {
	/** What helps to find out why something was slow, such as a retry. */
	debug: (text: string) => void;
	/** What explains an unusual run, such as a list that was read again or a row that was skipped. */
	info: (text: string) => void;
	/** What somebody should check, such as a write that may have been carried out. */
	warn: (text: string) => void;
}
