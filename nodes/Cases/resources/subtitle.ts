import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';

import { FILTERS_IN_WORDS } from '../fields/subtitle';

/** The code that composes the subtitle. */
const COMPOSE = `(actions, raw) => {
	const action = actions[raw.resource + "." + raw.operation];
	if (action === undefined) return "";

	const caseId = /(?:^#?|\\/cases\\/)(\\d+)(?:\\/|$)/.exec(String(raw.caseId ?? ""));
	const number = caseId === null ? "" : "#" + caseId[1];
	const what = caseId === null
		? action.replace(/ (?:of|on) case$/, "")
		: action.replace(" case actions", " actions: " + number).replace(/ (of|in|on) case\\b/, " $1 " + number);
	return [
		raw.returnAll === true ? what.replace(" many ", " all ") : what,
		caseId !== null && what === action ? number : "",
		...(${FILTERS_IN_WORDS})(raw),
	].filter((part) => part !== "").join(" · ");
}`;

/**
 * The expression for what the canvas shows under a node's name: the action text of its operation, shortened, and
 * what matters of its case and filters, such as "Get all cases · Open · Critical" or "Replace all actions of #500".
 * The canvas has room for about thirty characters.
 */
export function subtitleOf(properties: INodeProperties[]): string {
	const actions = Object.fromEntries(
		properties
			.filter(({ name }) => name === 'operation')
			.flatMap(({ displayOptions, options }) =>
				(options as INodePropertyOptions[]).map(({ value, action }) => [
					`${String(displayOptions?.show?.resource?.[0])}.${String(value)}`,
					action,
				]),
			),
	);
	return `={{ (${COMPOSE})(${JSON.stringify(actions)}, $rawParameter) }}`;
}
