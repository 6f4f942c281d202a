import { readFileSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import type { IDataObject, INodeProperties } from 'n8n-workflow';
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

/** Files, each behind its name. */
const named = (files: string[]) => files.map((file) => [basename(file), file]);
const ALL = named(ALL_EXAMPLE_FILES);

/** The number of the color of sticky notes. */
const RED = 3;

test('Every example has an expectation', () => {
	expect(EXAMPLE_FILES.map((file) => basename(file))).toEqual(Object.keys(EXPECTATIONS).sort());
});

test.each(named(EXAMPLE_FILES))(
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

test.each(ALL)(
	'examples/%s stores the values of its filters as the form would',
	async (_name, file) => {
		const { nodeTypes } = await builtTypes();
		const { properties } = nodeTypes.getByNameAndVersion(CASES_NODE, 1).description;
		const fields = properties.find(({ name }) => name === 'filters')?.options as INodeProperties[];
		const typeOf = new Map(fields.map(({ name, type }) => [name, type]));
		const own = readWorkflow(file).nodes.filter(({ type }) => type.startsWith('n8n-nodes-cases.'));
		for (const { parameters } of own) {
			for (const [name, value] of Object.entries(parameters.filters ?? {})) {
				const isExpression = typeof value === 'string' && value.startsWith('=');
				if (isExpression) continue;
				expect([name, Array.isArray(value)]).toEqual([name, typeOf.get(name) === 'multiOptions']);
			}
		}
	},
);

/** Operations of the Cases node that change a case, and whether they have Preview Only. */
const WRITES: Record<string, Record<string, boolean>> = {
	action: { replace: true, upsert: true, delete: true, clear: true, sendAndWait: false },
	case: { create: true, update: true, close: true, reopen: true, link: false, unlink: false },
	comment: { create: true, update: false, delete: false },
	file: { upload: false, delete: false },
	record: { create: false, link: false, unlink: false },
	task: { create: false, update: false, delete: false },
};

test.each(ALL)(
	'examples/%s has a red note if it writes, says so in it, and says how to try it first',
	(_name, file) => {
		const { nodes } = readWorkflow(file);
		const writes = nodes.flatMap(({ parameters: { resource, operation, options } }) => {
			const canPreview = WRITES[String(resource)]?.[String(operation)];
			const isPreview = (options as IDataObject | undefined)?.previewOnly === true;
			return canPreview === undefined || isPreview ? [] : [canPreview];
		});
		const notes = nodes.filter(({ type }) => type === 'n8n-nodes-base.stickyNote');
		expect(notes).not.toEqual([]);
		const warnings = notes.filter(({ parameters: { content, color } }) => {
			return color === RED && String(content).includes('⚠ Execute workflow writes');
		});
		expect(warnings).toHaveLength(writes.length > 0 ? 1 : 0);
		for (const { parameters } of warnings) {
			if (writes.includes(true)) expect(parameters.content).toMatch(/Preview Only/);
		}
	},
);

test.each(ALL)(
	'examples/%s has no mode that n8n 3 removes, and takes no address apart',
	(_name, file) => {
		const { nodes } = readWorkflow(file);
		const called = nodes.filter(({ type }) => type === 'n8n-nodes-base.executeWorkflow');
		expect(called.filter(({ parameters }) => (parameters.mode ?? 'once') !== 'once')).toEqual([]);
		expect(JSON.stringify(nodes)).not.toMatch(/resumeUrl\s*\.split/);
	},
);

test('There are fifteen recipes at most, and each is in docs/recipes.md with its picture, in the README by its name', () => {
	expect(ALL_EXAMPLE_FILES.length).toBeLessThanOrEqual(15);
	const [page, readme] = ['docs/recipes.md', 'README.md'].map((path) =>
		readFileSync(resolve(__dirname, '../..', path), 'utf8'),
	);
	for (const [file, path] of ALL) {
		expect(page).toContain(`](../examples/${file})`);
		expect(page).toContain(`](images/recipe-${basename(file, '.json')}.png)`);
		const link = `[${readWorkflow(path).name}](examples/${file})`;
		expect(readme.toLowerCase()).toContain(link.toLowerCase());
	}
});

/** How many cases are examples of so many events in the editor. */
const IN_WORDS = ['no', 'one', 'two'];

test.each(ALL)(
	'examples/%s says truly how many cases of the trigger a run in the editor may write to',
	(_name, file) => {
		const { nodes } = readWorkflow(file);
		const said = nodes.flatMap(({ parameters: { content = '' } }) => {
			const [, count] = /on (\w+) recent/.exec(String(content)) ?? [];
			return count === undefined ? [] : [count];
		});
		const possible = nodes.flatMap(({ parameters: { events } }) =>
			Array.isArray(events) ? [IN_WORDS[events.length]] : [],
		);
		expect(said.filter((count) => !possible.includes(count))).toEqual([]);
	},
);
