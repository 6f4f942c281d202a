// What the canvas shows under a node's name. These functions go into an expression as their own source, and n8n runs them
// in the editor. So they use nothing from outside, and have no two closing braces in a row, which would end the
// expression. They get parameters as they are stored: what is an expression can't be resolved before a run.

type Stored = Record<string, unknown>;

/** What matters of Filters, in words. */
const filtersInWords = ({ filters }: Stored): string[] => {
	const isText = (value: unknown): value is string =>
		typeof value === 'string' && value.trim() !== '' && !value.startsWith('=');
	const isGiven = (value: unknown): boolean =>
		typeof value === 'object' && value !== null
			? Object.values(value).some(isGiven)
			: ['string', 'number', 'boolean'].includes(typeof value) && String(value).trim() !== '';
	const choices = (value: unknown) => {
		const names = [value].flat().map(String);
		return names.every((name) => /^[A-Z]+$/.test(name))
			? names.map((name) => name[0] + name.slice(1).toLowerCase()).join(', ')
			: '';
	};
	const quoted = (value: unknown) =>
		isText(value) ? '"' + (value.length > 20 ? value.slice(0, 20) + '…' : value) + '"' : '';
	const flag = (words: string) => (value: unknown) => (value === true ? words : '');
	const within = (verb: string) => (value: unknown) => (isText(value) ? verb + ' ' + value : '');
	const inWords: Array<[filter: string, words: (value: unknown) => string]> = [
		['status', choices],
		['priority', choices],
		['assigned_to_me', flag('Assigned to Me')],
		['unassigned', flag('Unassigned')],
		['search', quoted],
		['created_within', within('created')],
		['resolved_within', within('resolved')],
		['updated_within', within('updated')],
	];

	// The key "length" is that of a collection that is one text.
	const given = Object.entries(typeof filters === 'object' ? (filters ?? {}) : {}).filter(
		([name, value]) => name !== 'length' && isGiven(value),
	);
	const shown = inWords
		.map(([filter, words]) => words(given.find(([name]) => name === filter)?.[1]))
		.filter((words) => words !== '');
	const rest = given.length - shown.length;
	if (rest === 0) return shown;
	return [...shown, (shown.length > 0 ? '+' : '') + rest + (rest === 1 ? ' filter' : ' filters')];
};

/**
 * The name of an operation: its action text, shortened, with the number of its case, such as "Get all cases" or "Get many
 * comments of #500". The canvas has room for about thirty characters.
 * @param actions the action text of each operation, such as "Get many comments of case"
 */
export const nameOfOperation = (raw: Stored, actions: Record<string, string>): string => {
	const action = actions[String(raw.resource) + '.' + String(raw.operation)];
	if (action === undefined) return '';
	const name = raw.returnAll === true ? action.replace(' many ', ' all ') : action;
	const id = /(?:^#?|\/cases\/)(\d+)(?:\/|$)/.exec(String(raw.caseId ?? ''))?.[1];
	if (id === undefined) return name.replace(/ (?:of|on) case$/, '');
	const ofCase = name
		.replace(' case actions', ' actions: #' + id)
		.replace(/ (of|in|on) case\b/, ' $1 #' + id);
	return ofCase === name ? name + ' · #' + id : ofCase;
};

/**
 * The name of a trigger: the first two events that start it.
 * @param labels of the events
 */
export const nameOfTrigger = ({ events }: Stored, labels: Record<string, string>): string => {
	const chosen = Object.keys(labels).filter((event) => [events].flat().includes(event));
	const named = chosen.slice(0, 2).map((event) => labels[event]);
	return named.join(', ') + (chosen.length > 2 ? ' +' + (chosen.length - 2) : '');
};

/**
 * The expression of a subtitle: a name, and what matters of the filters.
 * @param nameOf returns the name by the stored parameters and the labels
 */
export function subtitleOf(
	nameOf: typeof nameOfOperation | typeof nameOfTrigger,
	labels: Record<string, string>,
): string {
	const compose = (name: string, filters: string[]) =>
		[name, ...filters].filter((part) => part !== '').join(' · ');
	const name = `(${nameOf.toString()})($rawParameter, ${JSON.stringify(labels)})`;
	const filters = `(${filtersInWords.toString()})($rawParameter)`;
	return `={{ (${compose.toString()})(${name}, ${filters}) }}`;
}
