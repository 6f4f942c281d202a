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
import { WITH_WRITES } from '../../sandbox';
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
		const sandbox = await startSandbox({ cases: 300, grown: WITH_WRITES });
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
const WRITES: Record<string, string[]> = {
	action: ['replace', 'upsert', 'delete', 'clear', 'sendAndWait'],
	case: ['create', 'update', 'close', 'reopen'],
	comment: ['create', 'delete'],
};

test.each(ALL_EXAMPLE_FILES.map((file) => [basename(file), file]))(
	'examples/%s has a red note if it writes, and says so in it',
	(_name, file) => {
		const { nodes } = readWorkflow(file);
		const isWriting = nodes.some(
			({ type, parameters: { resource, operation, method = 'GET' } }) =>
				WRITES[String(resource)]?.includes(String(operation)) ||
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
