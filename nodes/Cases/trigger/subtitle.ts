import { nameOfTrigger, subtitleOf } from '../fields/subtitle';
import { EVENTS } from './events';

/** The expression for what the canvas shows under a trigger's name, such as "Case Closed · Critical". */
export const SUBTITLE = subtitleOf(
	nameOfTrigger,
	Object.fromEntries(EVENTS.map(({ value, name }) => [value, name])),
);
