import { string } from '../caseValues';
import { parseText } from '../values';

/** The text of a task. */
export const TASK_TEXT = string('e.g. Block the sender', (value, label) =>
	parseText(value, label).trim(),
);

export const MEMBERS = "They must belong to the case's team, and are notified.";
