import {
	NodeHelpers,
	Workflow,
	type INode,
	type INodeProperties,
	type INodePropertyOptions,
} from 'n8n-workflow';
import { builtTypes } from '../../tools/engine/load';

const TRIGGER = 'n8n-nodes-cases.casesTrigger';

const types = async () => (await builtTypes()).nodeTypes;
const description = async () => (await types()).getByNameAndVersion(TRIGGER, 1).description;
const field = async (name: string) =>
	(await description()).properties.find((property) => property.name === name) as INodeProperties;
const namesIn = ({ options = [] }: INodeProperties) =>
	(options as INodeProperties[]).map(({ name }) => name);

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

	it('of the fields, with their defaults', async () => {
		// n8n puts its own Poll Times before them. A notice stores nothing.
		const properties = (await description()).properties.filter(
			({ name, type }) => name !== 'pollTimes' && type !== 'notice',
		);
		expect(properties.map(({ name, default: initial }) => [name, initial])).toEqual([
			['events', ['caseCreated']],
			['filters', {}],
			['output', 'simplified'],
			['fields', ['name', 'status', 'priority']],
			['options', {}],
		]);
	});

	it('of the events', async () => {
		const { options } = await field('events');
		expect((options as INodePropertyOptions[]).map(({ value }) => value).sort()).toEqual([
			'caseClosed',
			'caseCreated',
			'caseUpdated',
			'commentAdded',
		]);
	});

	it('of the filters: those of the node, without the two on edit times', async () => {
		const cases = (await types()).getByNameAndVersion('n8n-nodes-cases.cases', 1).description;
		const ofNode = cases.properties.find(({ name }) => name === 'filters') as INodeProperties;
		expect(namesIn(await field('filters'))).toEqual(
			namesIn(ofNode).filter((name) => !name.startsWith('updated_at_')),
		);
	});

	it('of the options', async () => {
		expect(namesIn(await field('options'))).toEqual([
			'concurrency',
			'maxCases',
			'maxRetries',
			'pageSize',
			'startFrom',
			'timeout',
		]);
	});
});

it.each([
	[['caseCreated'], 'Case Created'],
	[['caseClosed', 'commentAdded'], 'Case Closed, Comment Added'],
	[[], ''],
])('the subtitle of %j tells on the canvas what starts the workflow', async (events, expected) => {
	const node: INode = {
		id: 'trigger',
		name: 'Cases Trigger',
		type: TRIGGER,
		typeVersion: 1,
		position: [0, 0],
		parameters: { events },
	};
	const workflow = new Workflow({
		nodes: [node],
		connections: {},
		active: false,
		nodeTypes: await types(),
	});
	const { subtitle } = await description();
	const shown = await workflow.expression.withIsolate(async () =>
		workflow.expression.getSimpleParameterValue(node, subtitle, 'internal', {}),
	);
	expect(shown).toBe(expected);
});

describe('the notice on comments', () => {
	test.each([
		[['commentAdded'], true],
		[['caseClosed', 'commentAdded'], true],
		[['caseClosed'], false],
	])('with the events %j shows: %s', async (events, isShown) => {
		const form = await description();
		const notice = form.properties.find(({ type }) => type === 'notice') as INodeProperties;
		expect(notice.displayName).toContain('Case IDs');
		const node = { typeVersion: 1 };
		expect(NodeHelpers.displayParameter({ events }, notice, node, form)).toBe(isShown);
	});
});
