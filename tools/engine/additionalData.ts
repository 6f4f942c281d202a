import './environment';
import { ExternalSecretsProxy } from 'n8n-core';
import type { IWorkflowExecuteAdditionalData } from 'n8n-workflow';
import type { MemoryCredentialsHelper } from './credentials';

const instance = 'http://localhost:5678';

function needsServer(what: string) {
	return async (): Promise<never> => {
		throw new Error(`${what} needs n8n's server, this engine runs without one`);
	};
}

/** What n8n's server passes to the engine for one execution. */
export function createAdditionalData(
	credentialsHelper: MemoryCredentialsHelper,
): IWorkflowExecuteAdditionalData {
	return {
		credentialsHelper,
		externalSecretsProxy: new ExternalSecretsProxy(),
		currentNodeExecutionIndex: 0,
		executionId: '1',
		variables: {},
		restApiUrl: `${instance}/rest`,
		instanceBaseUrl: `${instance}/`,
		formBaseUrl: `${instance}/form`,
		formWaitingBaseUrl: `${instance}/form-waiting`,
		formTestBaseUrl: `${instance}/form-test`,
		webhookBaseUrl: `${instance}/webhook`,
		webhookWaitingBaseUrl: `${instance}/webhook-waiting`,
		webhookTestBaseUrl: `${instance}/webhook-test`,
		mcpBaseUrl: `${instance}/mcp`,
		mcpTestBaseUrl: `${instance}/mcp-test`,
		logAiEvent: () => undefined,
		getRunExecutionData: async () => undefined,
		executeWorkflow: needsServer('Calling another workflow'),
		getRuntimeCredential: needsServer('A runtime credential'),
		startRunnerTask: needsServer('The Code node'),
	};
}
