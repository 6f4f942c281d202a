/** The parameters of a node, as the fields read them for one input item. */
export interface Parameters {
	/** A parameter's value for an input item; the fallback where the form doesn't show it. */
	parameter: (name: string, item: number, fallback?: unknown) => unknown;
	/** A parameter as the workflow stores it: an expression is text that begins with `=`. */
	stored: (name: string) => unknown;
	/** Timezone of the workflow, as an IANA name. */
	timezone: string;
	/** When the run began, by n8n's clock, in ms since the epoch. */
	startedAt: number;
}
