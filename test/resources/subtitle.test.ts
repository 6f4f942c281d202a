import type { INodePropertyOptions } from 'n8n-workflow';
import { builtTypes } from '../../tools/engine/load';
import { byId, byUrl } from '../support/runs';
import { CASES_NODE } from '../support/service';
import { workflowOf } from '../support/workflow';

/** What the canvas shows under the name of a node with these parameters. */
async function subtitleOf(parameters: object): Promise<unknown> {
	const { node, nodeType, workflow } = await workflowOf(parameters, {});
	const { expression } = workflow;
	return await expression.withIsolate(async () =>
		expression.getSimpleParameterValue(node, nodeType.description.subtitle, 'internal', {}),
	);
}

describe('the subtitle of every operation', () => {
	async function operations() {
		const { nodeTypes } = await builtTypes();
		const { properties } = nodeTypes.getByNameAndVersion(CASES_NODE, 1).description;
		return properties
			.filter(({ name }) => name === 'operation')
			.flatMap(({ displayOptions, options }) =>
				(options as INodePropertyOptions[]).map(({ value, action }) => ({
					resource: displayOptions?.show?.resource?.[0],
					operation: value,
					action,
				})),
			);
	}

	/** What the canvas shows of a subtitle, in about 190 pixels. */
	const ROOM = 30;

	test('differs from all others, and fits the canvas', async () => {
		const subtitles = await Promise.all(
			(await operations()).map(
				async ({ resource, operation }) => await subtitleOf({ resource, operation }),
			),
		);
		expect(subtitles.length).toBeGreaterThan(7);
		expect(new Set(subtitles).size).toBe(subtitles.length);
		for (const subtitle of subtitles) {
			expect(subtitle).toMatch(/^[A-Z]\S+ \S+/);
			expect(String(subtitle).length).toBeLessThanOrEqual(ROOM);
		}
	});

	test('has room for the number of the case', async () => {
		const ofCases = (await operations()).filter(
			({ action = '' }) => / case\b/.test(action) && action !== 'Create case',
		);
		for (const { resource, operation } of ofCases) {
			const subtitle = await subtitleOf({ resource, operation, caseId: byId('500') });
			expect(subtitle).toMatch(/ #500\b/);
			expect(String(subtitle).length).toBeLessThanOrEqual(ROOM);
		}
	});
});

const MANY_FILTERS = { status: 'CLOSED', and_tags: ['mail'], team_id: 3, updated_within: '24h' };
const BLANKS = { status: '', search: ' ', priority: [], records: [''], metadata: {} };
const EXPRESSION = '={{ $json.value }}';

test.each([
	[
		'Get all cases · Open · Critical',
		{ returnAll: true, filters: { status: 'OPEN', priority: 'CRITICAL' } },
	],
	['Get many cases · Critical, High', { filters: { priority: ['CRITICAL', 'HIGH'] } }],
	['Get many cases · 2 filters', { filters: { search: 'phishing', unassigned: false } }],
	['Count cases · Closed · +3', { operation: 'count', filters: MANY_FILTERS }],
	['Get many cases · 1 filter', { filters: { metadata: { pair: [{ key: 'a', value: 'b' }] } } }],
	['Get many cases', { filters: { ...BLANKS, updated_within: '' } }],
	['Get many cases · 2 filters', { filters: { status: EXPRESSION, priority: EXPRESSION } }],
	['Get many cases · Open · +1', { filters: { status: 'OPEN', search: EXPRESSION } }],
	['Get many cases · 1 filter', { filters: { updated_within: EXPRESSION } }],
	['Get many cases', { filters: EXPRESSION, returnAll: EXPRESSION }],
	['Get case', { operation: 'get', caseId: byId(EXPRESSION) }],
	['', { operation: EXPRESSION }],
])('the subtitle is %j for what is chosen', async (expected, parameters) => {
	expect(await subtitleOf({ resource: 'case', operation: 'getAll', ...parameters })).toBe(expected);
});

test.each([
	['from the list', { __rl: true, mode: 'list', value: 500, cachedResultName: '#500 Port scan' }],
	['by ID', byId('500')],
	['by ID with a #', byId('#500')],
	['by URL', byUrl('https://acme.example.com/cases/500')],
])('the subtitle shows the number of a case that is given %s', async (_how, caseId) => {
	expect(await subtitleOf({ resource: 'case', operation: 'get', caseId })).toBe('Get case · #500');
	expect(await subtitleOf({ resource: 'comment', operation: 'getAll', caseId })).toBe(
		'Get many comments of #500',
	);
	expect(await subtitleOf({ resource: 'action', operation: 'replace', caseId })).toBe(
		'Replace all actions: #500',
	);
});
