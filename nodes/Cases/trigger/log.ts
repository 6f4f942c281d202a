import type { IPollFunctions } from 'n8n-workflow';

import { redactorOf } from '../n8n/redactors';

/** Writes to n8n's log. Texts hold no search text, no body and no key. */
export interface Log {
	/** Something was left out, or can't be continued. */
	warn: (text: string) => void;
	/** What an operator asks who misses an execution. */
	info: (text: string) => void;
}

/** n8n's log, with the workflow and the node in each entry. */
export function openLog(context: IPollFunctions): Log {
	const ids = () => ({ workflowId: context.getWorkflow().id, nodeId: context.getNode().id });
	return {
		warn: (text) => context.logger.warn(`Cases Trigger: ${redactorOf(context)(text)}`, ids()),
		info: (text) => context.logger.info(`Cases Trigger: ${redactorOf(context)(text)}`, ids()),
	};
}
