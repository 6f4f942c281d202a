import { basename } from 'node:path';
import type { INodeProperties } from 'n8n-workflow';
import {
	ALL_EXAMPLE_FILES,
	EXAMPLE_FILES,
	readWorkflow,
	runExample,
} from '../../tools/engine/examples';
import { builtTypes } from '../../tools/engine/load';
import { ACCESS } from '../../sandbox/auth';
import { mayRead } from '../../sandbox/query';
import { CASES_NODE, useSandboxes } from '../support/service';
import { EXPECTATIONS, PREPARATIONS } from './expectations';

const startSandbox = useSandboxes();

/** The number of the color of sticky notes. */
const RED = 3;

test('Every example has an expectation', () => {
	expect(EXAMPLE_FILES.map((file) => basename(file))).toEqual(Object.keys(EXPECTATIONS).sort());
});

test.each(EXAMPLE_FILES.map((file) => [basename(file), file]))(
	'examples/%s returns and changes what it says, compared with the service',
	async (name, file) => {
		const sandbox = await startSandbox({ cases: 300 });
		PREPARATIONS[name]?.(sandbox);
		const { status, error, data } = await runExample(readWorkflow(file), sandbox);
		expect([status, error]).toEqual(['success', undefined]);
		expect(sandbox.rejected).toEqual([]);
		EXPECTATIONS[name]({
			sandbox,
			visible: [...sandbox.store.cases()].filter(({ team }) => mayRead(ACCESS.personal, team.id)),
			outputOf: (node) => data[node].flat().map(({ json }) => json),
		});
	},
);

test.each(ALL_EXAMPLE_FILES.map((file) => [basename(file), file]))(
	'examples/%s stores the values of its filters as the form would',
	async (_name, file) => {
		const { nodeTypes } = await builtTypes();
		const { properties } = nodeTypes.getByNameAndVersion(CASES_NODE, 1).description;
		const fields = properties.find(({ name }) => name === 'filters')?.options as INodeProperties[];
		const typeOf = new Map(fields.map(({ name, type }) => [name, type]));
		for (const { parameters } of readWorkflow(file).nodes) {
			for (const [name, value] of Object.entries(parameters.filters ?? {})) {
				const isExpression = typeof value === 'string' && value.startsWith('=');
				if (isExpression) continue;
				expect([name, Array.isArray(value)]).toEqual([name, typeOf.get(name) === 'multiOptions']);
			}
		}
	},
);

/** Operations of the Cases node that change a case. */
const WRITES = ['replace', 'upsert', 'delete', 'clear', 'sendAndWait'];

test.each(ALL_EXAMPLE_FILES.map((file) => [basename(file), file]))(
	'examples/%s has a red note if it writes, and says so in it',
	(_name, file) => {
		const { nodes } = readWorkflow(file);
		const isWriting = nodes.some(
			({ type, parameters: { resource, operation, method = 'GET' } }) =>
				(resource === 'action' && WRITES.includes(String(operation))) ||
				(type === 'n8n-nodes-base.httpRequest' && method !== 'GET'),
		);
		const notes = nodes.filter(({ type }) => type === 'n8n-nodes-base.stickyNote');
		expect(notes).not.toEqual([]);
		const warnings = notes.filter(({ parameters: { content, color } }) => {
			return color === RED && String(content).includes('⚠ Execute workflow writes');
		});
		expect(warnings).toHaveLength(isWriting ? 1 : 0);
	},
);

/** The examples of an event that the trigger shows in the editor at most, one case each. */
const EXAMPLES_OF_AN_EVENT = 10;

test.each(ALL_EXAMPLE_FILES.map((file) => [basename(file), file]))(
	'examples/%s says truly how many cases of the trigger a run in the editor may write to',
	(_name, file) => {
		const { nodes } = readWorkflow(file);
		const said = nodes.flatMap(({ parameters: { content = '' } }) => {
			const [, count] = /up to (\d+) recent/.exec(String(content)) ?? [];
			return count === undefined ? [] : [Number(count)];
		});
		const possible = nodes.flatMap(({ parameters: { events } }) =>
			Array.isArray(events) ? [events.length * EXAMPLES_OF_AN_EVENT] : [],
		);
		expect(said.filter((count) => !possible.includes(count))).toEqual([]);
	},
);

test('examples/create-and-close.json uses the credential of the Cases nodes in HTTP Request nodes', async () => {
	const sandbox = await startSandbox({ cases: 3, grown: true });
	const file = ALL_EXAMPLE_FILES.find((one) => basename(one) === 'create-and-close.json');
	const workflow = readWorkflow(file ?? '');
	const { email, user_id } = sandbox.store.user(2);
	const settings = { base_url: sandbox.url, team_id: 1, assignee: email };
	const nodes = workflow.nodes.map((node) =>
		node.name === 'Settings'
			? { ...node, parameters: { ...node.parameters, jsonOutput: JSON.stringify(settings) } }
			: node,
	);
	const { status, error } = await runExample({ ...workflow, nodes }, sandbox);
	expect([status, error]).toEqual(['success', undefined]);
	expect(sandbox.rejected).toEqual([]);
	const made = sandbox.store.getCase(4);
	expect(made).toMatchObject({ name: 'Made by n8n', priority: 'HIGH', status: 'CLOSED' });
	expect(made.assignees).toContainEqual(expect.objectContaining({ user_id }));
	expect(sandbox.store.comments(4)).toMatchObject([{ value: 'n8n was here' }]);
});
