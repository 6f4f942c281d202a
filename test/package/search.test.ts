import type { INodeTypeDescription } from 'n8n-workflow';
import { builtTypes } from '../../tools/engine/load';
import { CASES_NODE } from '../support/service';

// n8n's AI builder and its MCP server find nodes by this search. It comes with n8n's own packages, without types.
interface NodeSearchEngine {
	searchByName(query: string, limit: number): Array<{ name: string; builderHintMessage?: string }>;
}
/* eslint-disable @typescript-eslint/no-require-imports -- see above */
const { NodeSearchEngine: Engine } =
	require('@n8n/ai-utilities/dist/cjs/node-catalog/search-engine') as {
		NodeSearchEngine: new (nodes: INodeTypeDescription[]) => NodeSearchEngine;
	};
const BUILT_IN = require('n8n-nodes-base/dist/types/nodes.json') as INodeTypeDescription[];
/* eslint-enable */

const CASES_NODES = [CASES_NODE, `${CASES_NODE}Trigger`];

let search: NodeSearchEngine;

beforeAll(async () => {
	const { nodeTypes } = await builtTypes();
	search = new Engine([
		...BUILT_IN.map((node) => ({ ...node, name: `n8n-nodes-base.${node.name}` })),
		...CASES_NODES.map((name) => ({
			...nodeTypes.getByNameAndVersion(name, 1).description,
			name,
		})),
	]);
});

const WORDS = [
	'alert, approve, audit log, case, comment, escalation, handover, helpdesk, incident, incident response',
	'indicator of compromise, investigation, IOC, phishing, playbook, runbook, service desk',
	'SOAR, SOC, threat, ticket, Tines, triage',
];

test.each(WORDS.flatMap((words) => words.split(', ')))(
	'n8n’s node search has the Cases node among the first five for %j',
	(query) => {
		expect(search.searchByName(query, 5).map(({ name }) => name)).toContain(CASES_NODE);
	},
);

it('says to an AI builder what the node writes', () => {
	const [found] = search.searchByName('cases', 1);
	expect(found.builderHintMessage).toMatch(
		/^Creates, updates, assigns, closes and comments on cases/,
	);
});
