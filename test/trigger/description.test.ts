import {
	NodeHelpers,
	Workflow,
	type INode,
	type INodeParameters,
	type INodeProperties,
	type INodePropertyOptions,
	type TriggerPanelDefinition,
} from 'n8n-workflow';
import { builtTypes } from '../../tools/engine/load';

const TRIGGER = 'n8n-nodes-cases.casesTrigger';

const types = async () => (await builtTypes()).nodeTypes;
const description = async () => (await types()).getByNameAndVersion(TRIGGER, 1).description;
const field = async (name: string) =>
	(await description()).properties.find((property) => property.name === name) as INodeProperties;
const namesIn = ({ options = [] }: INodeProperties) =>
	(options as INodeProperties[]).filter(({ type }) => type !== 'hidden').map(({ name }) => name);

describe('names that workflows store', () => {
	it('of the node: casesTrigger, version 1, credential casesApi, polling', async () => {
		expect(await description()).toMatchObject({
			name: 'casesTrigger',
			displayName: 'Cases Trigger',
			version: 1,
			polling: true,
			inputs: [],
			credentials: [{ name: 'casesApi', required: true }],
		});
	});

	it('of the fields with their defaults, of the events and of the options', async () => {
		// n8n puts its own Poll Times before them. A notice stores nothing.
		const properties = (await description()).properties.filter(
			({ name, type }) => name !== 'pollTimes' && type !== 'notice',
		);
		expect(Object.fromEntries(properties.map((one) => [one.name, one.default]))).toEqual({
			...{ events: ['caseCreated'], activityTypes: [], filters: {}, options: {} },
			...{ output: 'simplified', fields: ['name', 'status', 'priority'] },
		});
		const events = (await field('events')).options as INodePropertyOptions[];
		const values = events.map(({ value }) => value).sort();
		expect(values.join(' ')).toBe(
			'activityAdded caseClosed caseCreated caseMatched caseUnmatched caseUpdated commentAdded',
		);
		expect(namesIn(await field('options')).join(' ')).toBe(
			'concurrency ignoreServiceAccounts ignoredUsers maxCases maxRetries pageSize startFrom timeout',
		);
	});

	it('of the filters: those of the node, without periods and the two on edit times', async () => {
		const cases = (await types()).getByNameAndVersion('n8n-nodes-cases.cases', 1).description;
		const ofNode = cases.properties.find(({ name }) => name === 'filters') as INodeProperties;
		expect(namesIn(await field('filters'))).toEqual(
			namesIn(ofNode).filter((name) => !/^updated_at_|_within$/.test(name)),
		);
	});
});

describe('what the editor shows', () => {
	it('of the node is true for both nodes, because n8n shows it for both', async () => {
		expect((await field('events')).displayName).toBe('Trigger On');
		expect((await description()).description).toBe(
			'Starts a workflow when cases are created, updated, closed or commented on, or match your filters',
		);
	});

	it('beside the form is what Fetch Test Event does here, and what publishing does', async () => {
		const { triggerPanel } = await description();
		const { header, executionsHelp } = triggerPanel as TriggerPanelDefinition;
		const { inactive, active } = executionsHelp as Record<'inactive' | 'active', string>;
		expect(header).toBe('Pull in recent case events');
		for (const help of [inactive, active]) {
			expect(help).toContain('a recent example of each event');
			expect(help).toContain("<a data-key='executions'>");
		}
		expect(inactive).toContain("<a data-key='activate'>publish</a>");
		expect(active).not.toContain('activate');
	});
});

describe('the subtitle', () => {
	/** What the canvas shows under the name of a trigger with these parameters. */
	const subtitleOf = async (parameters: object): Promise<unknown> => {
		const node: INode = {
			id: 'trigger',
			name: 'Cases Trigger',
			type: TRIGGER,
			typeVersion: 1,
			position: [0, 0],
			parameters: parameters as INodeParameters,
		};
		const workflow = new Workflow({
			nodes: [node],
			connections: {},
			active: false,
			nodeTypes: await types(),
		});
		const { subtitle } = await description();
		return await workflow.expression.withIsolate(async () =>
			workflow.expression.getSimpleParameterValue(node, subtitle, 'internal', {}),
		);
	};
	const EXPRESSION = '={{ $json.value }}';

	it.each([
		[{}, 'Case Created'],
		[{ events: ['commentAdded', 'caseClosed'] }, 'Case Closed, Comment Added'],
		[
			{ events: ['caseCreated', 'caseUpdated', 'caseClosed', 'commentAdded'] },
			'Case Created, Case Updated +2',
		],
		[{ filters: { status: 'OPEN', priority: 'CRITICAL' } }, 'Case Created · Open · Critical'],
		[{ events: [], filters: { or_tags: ['mail'], search: ' ' } }, '1 filter'],
		[{ events: EXPRESSION, filters: { status: EXPRESSION } }, '1 filter'],
		[{ events: EXPRESSION, filters: EXPRESSION }, ''],
	])('of %j is %j', async (parameters, expected) => {
		expect(await subtitleOf(parameters)).toBe(expected);
	});
});

describe('the notices on comments', () => {
	test.each([
		[['commentAdded'], true],
		[['caseClosed', 'commentAdded'], true],
		[['caseClosed'], false],
	])('with the events %j shows: %s', async (events, isShown) => {
		const form = await description();
		const [loop, comments] = form.properties.filter(({ type }) => type === 'notice');
		expect(loop.displayName).toContain('starts this trigger again');
		expect(comments.displayName).toContain('Case IDs');
		const node = { typeVersion: 1 };
		for (const notice of [loop, comments]) {
			expect(NodeHelpers.displayParameter({ events }, notice, node, form)).toBe(isShown);
		}
	});
});
