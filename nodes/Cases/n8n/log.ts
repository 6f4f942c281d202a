import type { FunctionsBase } from 'n8n-workflow';

import { quote } from '../api/failures/failure';
import type { Log } from '../api/http/client';
import { redactorOf } from './errors';

/**
 * Creates the log of a node, which writes to n8n's own log. The text of each line names package, node and workflow, because
 * n8n prints the metadata of a line only at the level debug or as JSON.
 */
export function createLog(context: Pick<FunctionsBase, 'getNode' | 'getWorkflow' | 'logger'>): Log {
	const { id: nodeId, name } = context.getNode();
	const { id: workflowId } = context.getWorkflow();
	const write = (level: keyof Log) => (text: string) =>
		context.logger[level](
			`[n8n-nodes-cases] Node ${quote(name)} of workflow ${workflowId ?? 'unsaved'}: ${redactorOf(context)(text)}`,
			{ workflowId, nodeId },
		);
	return { debug: write('debug'), info: write('info'), warn: write('warn') };
}
