import type { NodeHint } from 'n8n-workflow';

export { replyTo } from './sendAndWait/webhook';

/** What the editor shows before the first run of an operation that removes actions. */
export const hints: NodeHint[] = [
	{
		message:
			"Removes all existing actions of the case. This can't be undone. To see the effect first, turn on 'Preview Only' under 'Options'.",
		type: 'warning',
		location: 'outputPane',
		whenToDisplay: 'beforeExecution',
		displayCondition:
			'={{ $parameter["resource"] === "action" && ["clear", "replace"].includes($parameter["operation"]) && !$parameter["options"]?.["previewOnly"] }}',
	},
];
