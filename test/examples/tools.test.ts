import { resolve } from 'node:path';
import { readWorkflow } from '../../tools/engine/examples';
import { runAsTool } from '../support/tool';
import { byId } from '../support/runs';
import { useSandboxes } from '../support/service';

type Parameters = Record<string, unknown>;

const startSandbox = useSandboxes();

const { nodes } = readWorkflow(resolve(__dirname, '../../examples/mcp-server.json'));

/** What a tool of mcp-server.json has for parameters that a model fills. */
const parametersOf = (tool: string, filled: Parameters): Parameters => ({
	...nodes.find(({ name }) => name === tool)!.parameters,
	...filled,
});

interface Size {
	/** What Raw needs to return the same. */
	raw: Parameters[];
	/** At most this share of the characters of Raw. A text repeats the state of its case, and marks all that is data. */
	share: number;
	/** Only cases with so many comments. */
	comments?: number;
}

const allOf = (resource: string) => ({
	...{ resource, operation: 'getAll', output: 'raw', returnAll: true },
});
const WITH_LISTS = { loadInFull: ['activities', 'records'] };
const READ = { resource: 'case', operation: 'get', output: 'raw', options: WITH_LISTS };

const SIZES: Record<string, Size> = {
	'Find cases': { raw: [{ ...allOf('case'), returnAll: false, limit: 20 }], share: 1 / 3 },
	'Count cases': { raw: [{ ...allOf('case'), returnAll: false, limit: 1 }], share: 1 / 3 },
	'Read case': { raw: [READ, allOf('comment')], share: 0.45 },
	'Read comments': { raw: [allOf('comment')], share: 0.4, comments: 10 },
	'Read records': { raw: [allOf('record')], share: 1 / 3 },
};

test.each(Object.entries(SIZES))(
	'The tool %s returns little of what Raw does',
	async (tool, { raw: rawParameters, share, comments = 0 }) => {
		const { store, url, keys } = await startSandbox({ cases: 200, seed: 3 });
		const credential = { baseUrl: url, apiKey: keys.tenantOwner };
		const lengthOf = async (parameters: Parameters) => {
			const options = { ...(parameters.options as Parameters | undefined), fullTexts: true };
			const { items } = await runAsTool({ ...parameters, options }, credential);
			return JSON.stringify(items.map(({ json }) => json)).length;
		};
		const isOfList = tool.endsWith('cases');
		const ids = [...store.cases()]
			.map(({ case_id }) => case_id)
			.filter((id) => store.comments(id).length >= comments);
		const cases = isOfList ? [undefined] : ids.slice(0, 40);
		let [own, raw] = [0, 0];
		for (const id of cases) {
			const ofCase = id === undefined ? { filters: {} } : { caseId: byId(id) };
			own += await lengthOf(parametersOf(tool, ofCase));
			for (const parameters of rawParameters) raw += await lengthOf({ ...parameters, ...ofCase });
		}
		console.log(`${tool}: ${own} characters, ${Math.round((100 * own) / raw)} % of Raw's ${raw}`);
		expect(own).toBeLessThanOrEqual(raw * share);
	},
	60_000,
);

test('A model gets records as types and values, without IDs and times', async () => {
	const { store, url, keys } = await startSandbox({ cases: 5 });
	const results = [{ id: 1, name: 'host', value: 'a' }];
	const record = { id: 7, created_at: '2026-01-01T00:00:00Z', results };
	const type = { record_type_id: 1, record_type_name: 'Host' };
	const { case_id } = store.createCase({
		records: [{ ...type, record_type_record_results: [record] }],
	});
	const parameters = parametersOf('Read records', { caseId: byId(case_id) });
	const { items } = await runAsTool(parameters, { baseUrl: url, apiKey: keys.tenantOwner });
	expect(items.map(({ json }) => json)).toEqual([{ record_type: 'Host', host: 'a' }]);
});
