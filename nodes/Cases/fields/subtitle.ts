// A subtitle is what the canvas shows under a node's name. The source of these functions goes into an expression, which
// n8n runs in the editor. So they use nothing from outside, and have no two closing braces in a row, which would end the
// expression. Parameters come as the workflow stores them: expressions in them aren't resolved before a run.

type Stored = Record<string, unknown>;

/** The chosen status and priorities in words, and how many other filters there are. */
const filtersInWords = ({ filters }: Stored): string[] => {
	// One expression in place of the whole collection leaves two entries here that aren't filters: a number `length`, and a
	// function `search`, for which `JSON.stringify` returns undefined.
	const isBlank = (value: unknown) => /^[\s"[\]{}]*$/.test(JSON.stringify(value) ?? '');
	const given = Object.entries(typeof filters === 'object' ? (filters ?? {}) : {}).filter(
		([name, value]) => name !== 'length' && !isBlank(value),
	);
	const shown = ['status', 'priority']
		.map((filter) =>
			given
				.filter(([name]) => name === filter)
				.flatMap(([, value]) => value)
				.map(String),
		)
		.filter((words) => words.length > 0 && words.every((word) => /^[A-Z]+$/.test(word)))
		.map((words) => words.map((word) => word[0] + word.slice(1).toLowerCase()).join(', '));
	const rest = given.length - shown.length;
	if (rest === 0) return shown;
	if (shown.length > 0) return [...shown, '+' + rest];
	return [rest + (rest === 1 ? ' filter' : ' filters')];
};

/**
 * Names an operation and its case, such as "Get all cases" or "Get many comments of #500". The action text is shortened,
 * because the canvas has room for about thirty characters.
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
		.replace(/ (of|in|on|to|from) case\b/, ' $1 #' + id);
	return ofCase === name ? name + ' · #' + id : ofCase;
};

/**
 * Names the first two events that start a trigger, and counts the others.
 * @param labels the label of each event
 */
export const nameOfTrigger = ({ events }: Stored, labels: Record<string, string>): string => {
	const chosen = Object.keys(labels).filter((event) => [events].flat().includes(event));
	const named = chosen.slice(0, 2).map((event) => labels[event]);
	return named.join(', ') + (chosen.length > 2 ? ' +' + (chosen.length - 2) : '');
};

/**
 * The expression of a subtitle: a name, and the filters in words.
 * @param labels what `nameOf` takes as its second argument
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
