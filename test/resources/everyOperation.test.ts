import type { IDataObject } from 'n8n-workflow';
import { OUTPUTS } from '../../e2e/tourStops';
import { binaryOf, byId, byUrl, failureOf, pairsOf } from '../support/runs';
import {
	EXAMPLES,
	expectEvery,
	OPERATIONS,
	parametersOf,
	prepareExamples,
} from '../support/operations';
import { useService } from '../support/service';

// What holds for every operation, by the one list of examples.
const service = useService({ cases: 60, grown: ['case-writes', 'newer-requests'] });
let item: IDataObject;
beforeAll(() => {
	item = prepareExamples(service.sandbox.store);
});

test('Every operation has an example', () => {
	expectEvery(Object.keys(EXAMPLES), 'test/support/operations.ts');
});

test('Every operation has an output in the tour of the editor', () => {
	const ran = OUTPUTS.filter(({ trigger }) => trigger === undefined);
	const shown = ran.map(({ parameters: { resource, operation } }) => `${resource}.${operation}`);
	// A question waits, so it has no output.
	expectEvery([...shown, 'action.sendAndWait'], 'e2e/tourStops.ts');
});

/** Parameters with a value at a path. */
function withValue(
	parameters: Record<string, unknown>,
	[name, ...rest]: string[],
	value: unknown,
): Record<string, unknown> {
	const inner = (parameters[name] ?? {}) as Record<string, unknown>;
	return { ...parameters, [name]: rest.length === 0 ? value : withValue(inner, rest, value) };
}

// Ask and Wait takes one item only.
const OF_SEVERAL = OPERATIONS.filter((name) => name !== 'action.sendAndWait');

it.each(OF_SEVERAL)('%s reads all items before the first request', async (name) => {
	const { last } = EXAMPLES[name];
	const valid = JSON.stringify(last.at(-1));
	const path = last.slice(0, -1) as string[];
	const bad = withValue(parametersOf(name), path, `={{ $json.isBad ? { a: 1 } : ${valid} }}`);
	const items = [item, item, { ...item, isBad: true }];
	const run = await service.run(bad, { items });
	expect(failureOf(run)).toMatchObject({ name: 'NodeOperationError', item: 2 });
	expect(service.paths()).toEqual([]);
});

const OF_A_CASE = OPERATIONS.filter((name) => 'caseId' in parametersOf(name));

it.each(OF_A_CASE.filter((name) => OF_SEVERAL.includes(name)))(
	'%s reports an unknown case, and what is none, each at its item',
	async (name) => {
		const items = [999, 'x'].map((given) => ({ ...item, given }));
		const binary = binaryOf({ data: ['mail.eml', Buffer.from('From: ada')] });
		const run = await service.run(
			{ ...parametersOf(name), caseId: byId('={{ $json.given }}') },
			{ items, binary, onError: 'continueErrorOutput' },
		);
		expect(run.items).toEqual([]);
		expect(pairsOf({ items: run.errorItems })).toEqual([[0], [1]]);
		const [unknown, none] = run.errorItems.map(({ json }) => json.error);
		expect(unknown).toMatch(/case.* not found|not found.* case/i);
		expect(none).toMatch(/^"x" is not a case ID/);
		expect(service.paths().filter((path) => path.includes('/x'))).toEqual([]);
	},
);

it.each(OF_A_CASE)('%s refuses the case URL of another host before any request', async (name) => {
	const urls = [`${service.sandbox.url}/cases/1`, 'https://other.example.com/cases/2'];
	const [first, second] = urls.map((url) => ({ ...item, url }));
	const items = name === 'action.sendAndWait' ? [second] : [first, second];
	const parameters = { ...parametersOf(name), caseId: byUrl('={{ $json.url }}') };
	expect(failureOf(await service.run(parameters, { items }))).toMatchObject({
		name: 'NodeOperationError',
		message: expect.stringContaining('The case address belongs to other.example.com'),
		description: expect.stringContaining('of this tenant, enter'),
		item: items.length - 1,
	});
	expect(service.paths()).toEqual([]);
});
