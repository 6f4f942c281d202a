import { FILTERS_IN_WORDS } from '../fields/subtitle';
import { EVENTS } from './events';

/** Events that are named; of further ones only the number is shown. */
const NAMED = 2;

/** The code that composes the subtitle. */
const COMPOSE = `(labels, raw) => {
	const events = labels.filter(([event]) => [raw.events].flat().includes(event));
	const named = events.slice(0, ${NAMED}).map(([, label]) => label).join(", ");
	const further = events.length > ${NAMED} ? " +" + (events.length - ${NAMED}) : "";
	return [named + further, ...(${FILTERS_IN_WORDS})(raw)].filter((part) => part !== "").join(" · ");
}`;

/** The expression for what the canvas shows under the trigger's name, such as "Case Closed · Critical". */
export const SUBTITLE = `={{ (${COMPOSE})(${JSON.stringify(EVENTS.map(({ value, name }) => [value, name]))}, $rawParameter) }}`;
