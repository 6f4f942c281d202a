import type { NodeHint } from 'n8n-workflow';

function beforeFirstRun(operation: string, message: string): NodeHint {
	return {
		message,
		type: 'warning',
		location: 'outputPane',
		whenToDisplay: 'beforeExecution',
		displayCondition: `={{ $parameter["resource"] === "action" && $parameter["operation"] === "${operation}" && !$parameter["options"]?.["previewOnly"] }}`,
	};
}

const PREVIEW = "To see the effect first, turn on 'Preview Only' under 'Options'.";

/** What the editor shows before the first run of an operation that removes actions. */
export const hints: NodeHint[] = [
	beforeFirstRun('clear', `Removes all actions of the case. This can't be undone. ${PREVIEW}`),
	beforeFirstRun(
		'replace',
		`Removes all existing actions of the case, then sets the new ones. ${PREVIEW}`,
	),
];
