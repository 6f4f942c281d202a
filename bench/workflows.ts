import type { IDataObject, INode } from 'n8n-workflow';
import { credentialData } from '../tools/n8n/examples';
import { casesNode, manualWorkflow, node, START } from '../tools/n8n/workflows';
import type { Workflow } from './engine';
import type { Server } from './server';

export const CASES_CREDENTIAL = { id: 'benchCases', name: 'Cases' };
export const PEER_CREDENTIAL = { id: 'benchPeer', name: 'Header Auth' };

type Target = Pick<Server, 'url' | 'key'>;

/** The stored credentials of both contenders. */
export function credentialsFor({ url, key }: Target): NonNullable<Workflow['credentials']> {
	return {
		[CASES_CREDENTIAL.id]: {
			type: 'casesApi',
			data: credentialData(url, key, { ignoreSslIssues: true }) as Record<string, string>,
		},
		[PEER_CREDENTIAL.id]: { type: 'httpHeaderAuth', data: { name: 'X-User-Token', value: key } },
	};
}

/** The Cases node. */
export function casesNodes(parameters: IDataObject): INode[] {
	return [casesNode('Cases', CASES_CREDENTIAL.id, parameters)];
}

/** The name of {@link peerNodes}. */
export const PEER = 'HTTP Request with pagination + Split Out';

/**
 * What a user would build instead to read all cases: the HTTP Request node, which requests one page
 * after another, and Split Out, which makes one item of each case.
 */
export function peerNodes({ url }: Target, pageSize = 50): INode[] {
	const http = node('HTTP Request', 'n8n-nodes-base.httpRequest', 4.2, {
		url: `${url}/api/v2/cases`,
		authentication: 'genericCredentialType',
		genericAuthType: 'httpHeaderAuth',
		sendQuery: true,
		queryParameters: {
			parameters: [
				{ name: 'per_page', value: String(pageSize) },
				{ name: 'order', value: 'CREATED_ASC' },
			],
		},
		sendHeaders: true,
		headerParameters: { parameters: [{ name: 'content-type', value: 'application/json' }] },
		options: {
			pagination: {
				pagination: {
					paginationMode: 'updateAParameterInEachRequest',
					parameters: {
						parameters: [{ type: 'qs', name: 'page', value: '={{ $pageCount + 1 }}' }],
					},
					paginationCompleteWhen: 'other',
					completeExpression: '={{ !$response.body.meta.next_page }}',
				},
			},
		},
	});
	return [
		{ ...http, credentials: { httpHeaderAuth: PEER_CREDENTIAL } },
		node('Split Out', 'n8n-nodes-base.splitOut', 1, { fieldToSplitOut: 'cases', options: {} }),
	];
}

/** A workflow that the engine can run: a Manual Trigger that outputs these items, and the nodes. */
export function engineWorkflow(
	target: Target,
	nodes: INode[],
	items: IDataObject[] = [{}],
): Workflow {
	return {
		...manualWorkflow('Bench', nodes),
		credentials: credentialsFor(target),
		pinData: { [START]: items.map((json) => ({ json })) },
	};
}

/** One item for each of the first cases of the server. */
export function caseItems(count: number): IDataObject[] {
	return Array.from({ length: count }, (_, index) => ({ id: index + 1 }));
}

/** The case that an item of {@link caseItems} names. */
export const CASE_OF_ITEM = { __rl: true, mode: 'id', value: '={{ $json.id }}' };
