import {
	NodeHelpers,
	Workflow,
	type INode,
	type INodeParameters,
	type INodeProperties,
	type INodePropertyCollection,
	type INodePropertyOptions,
	type NodeHint,
} from 'n8n-workflow';
import { builtTypes } from '../../tools/engine/load';
import { CASES_NODE } from '../support/service';
import { read } from './sources';

const description = async () =>
	(await builtTypes()).nodeTypes.getByNameAndVersion(CASES_NODE, 1).description;
const properties = async () => (await description()).properties;

const OPERATIONS = [
	['case', 'getAll'],
	['case', 'get'],
	['case', 'count'],
	['case', 'digest'],
	['comment', 'getAll'],
	['activity', 'getAll'],
	['record', 'getAll'],
	['action', 'replace'],
	['action', 'upsert'],
	['action', 'delete'],
	['action', 'sendAndWait'],
	['action', 'clear'],
	['action', 'getAll'],
] as const;

const optionsOf = (field?: INodeProperties) =>
	((field?.options ?? []) as INodePropertyOptions[]).filter(
		(option) => !('type' in option && option.type === 'hidden'),
	);
const valuesOf = (field?: INodeProperties) => optionsOf(field).map(({ value }) => value);

/** The fields that the form has for an operation, whatever the other fields are set to. */
async function fieldsOf(resource: string, operation: string) {
	return (await properties()).filter(({ displayOptions }) => {
		const { resource: resources, operation: operations } = displayOptions?.show ?? {};
		return resources?.includes(resource) && operations?.includes(operation);
	});
}
const field = async (resource: string, operation: string, name: string) =>
	(await fieldsOf(resource, operation)).find((candidate) => candidate.name === name);

describe('names that workflows store', () => {
	it('of the node: cases, version 1, credential casesApi', async () => {
		expect(await description()).toMatchObject({
			name: 'cases',
			displayName: 'Cases',
			version: 1,
			credentials: [{ name: 'casesApi', required: true }],
		});
	});

	it('of the resources and operations, with their defaults', async () => {
		const all = await properties();
		const resource = all.find(({ name }) => name === 'resource');
		expect(valuesOf(resource).sort()).toEqual(['action', 'activity', 'case', 'comment', 'record']);
		expect(resource?.default).toBe('case');
		const operations = all
			.filter(({ name }) => name === 'operation')
			.map((operation) => [
				operation.displayOptions?.show?.resource,
				operation.default,
				valuesOf(operation).sort(),
			]);
		expect(operations).toEqual([
			[['activity'], 'getAll', ['getAll']],
			[
				['case'],
				'getAll',
				['close', 'count', 'create', 'digest', 'get', 'getAll', 'reopen', 'update'],
			],
			[['action'], 'replace', ['clear', 'delete', 'getAll', 'replace', 'sendAndWait', 'upsert']],
			[['comment'], 'getAll', ['create', 'delete', 'getAll']],
			[['record'], 'getAll', ['getAll']],
		]);
	});

	test.each([
		['case', 'getAll', ['returnAll', 'limit', 'order', 'filters', 'output', 'fields', 'options']],
		['case', 'get', ['caseId', 'output', 'fields', 'options']],
		['case', 'count', ['filters', 'options']],
		['case', 'create', ['teamId', 'name', 'additionalFields', 'output', 'fields', 'options']],
		['case', 'update', ['caseId', 'updateFields', 'output', 'fields', 'options']],
		['case', 'close', ['caseId', 'output', 'fields', 'options']],
		['case', 'reopen', ['caseId', 'output', 'fields', 'options']],
		['comment', 'create', ['caseId', 'text', 'output', 'options']],
		['comment', 'delete', ['caseId', 'commentId', 'options']],
		['case', 'digest', ['caseId', 'options']],
		['comment', 'getAll', ['caseId', 'returnAll', 'limit', 'output', 'options']],
		['activity', 'getAll', ['caseId', 'returnAll', 'limit', 'activityTypes', 'output', 'options']],
		['record', 'getAll', ['caseId', 'returnAll', 'limit', 'recordTypes', 'output', 'options']],
		[
			'action',
			'replace',
			[
				'caseId',
				'actionsFrom',
				'actions',
				'actionsJson',
				'label',
				'action_type',
				'url',
				'action_text',
				'options',
			],
		],
		[
			'action',
			'upsert',
			[
				'caseId',
				'actionsFrom',
				'actions',
				'actionsJson',
				'label',
				'action_type',
				'url',
				'action_text',
				'options',
			],
		],
		['action', 'delete', ['caseId', 'matchLabel', 'matchUrl', 'options']],
		[
			'action',
			'sendAndWait',
			['caseId', 'message', 'responseType', 'approvalOptions', 'choices', 'options'],
		],
		['action', 'clear', ['caseId', 'options']],
		['action', 'getAll', ['caseId', 'options']],
	])('of the fields of %s.%s', async (resource, operation, names) => {
		expect((await fieldsOf(resource, operation)).map(({ name }) => name)).toEqual(names);
	});

	test.each([
		[
			'case',
			'getAll',
			[
				...['acceptIncomplete', 'concurrency', 'includeComments', 'loadInFull'],
				...['maxRetries', 'pageSize', 'timeout'],
			],
		],
		[
			'case',
			'get',
			[
				...['acceptIncomplete', 'concurrency', 'includeComments', 'loadInFull'],
				...['maxRetries', 'timeout'],
			],
		],
		['case', 'create', ['concurrency', 'maxRetries', 'timeout']],
		...['update', 'close', 'reopen'].map((operation): [string, string, string[]] => [
			'case',
			operation,
			['concurrency', 'maxRetries', 'previewOnly', 'skipUnchanged', 'timeout'],
		]),
		['comment', 'create', ['author_email', 'concurrency', 'maxRetries', 'timeout']],
		['comment', 'delete', ['concurrency', 'maxRetries', 'timeout']],
		['case', 'count', ['acceptIncomplete', 'concurrency', 'maxRetries', 'timeout']],
		[
			'case',
			'digest',
			[
				...['acceptIncomplete', 'concurrency', 'markTexts', 'maxLength', 'maxRetries'],
				...['sections', 'timeout'],
			],
		],
		['comment', 'getAll', ['acceptIncomplete', 'concurrency', 'maxRetries', 'timeout']],
		['activity', 'getAll', ['acceptIncomplete', 'concurrency', 'maxRetries', 'timeout']],
		['record', 'getAll', ['acceptIncomplete', 'concurrency', 'maxRetries', 'timeout']],
		['action', 'replace', ['concurrency', 'maxRetries', 'previewOnly', 'skipUnchanged', 'timeout']],
		...['upsert', 'delete'].map((operation): [string, string, string[]] => [
			'action',
			operation,
			['concurrency', 'maxRetries', 'previewOnly', 'timeout'],
		]),
		['action', 'sendAndWait', ['buttonType', 'keepButtons', 'limitWaitTime']],
		['action', 'clear', ['concurrency', 'maxRetries', 'previewOnly', 'timeout']],
		['action', 'getAll', ['concurrency', 'maxRetries', 'timeout']],
	])('of the options of %s.%s', async (resource, operation, names) => {
		const options = await field(resource, operation, 'options');
		expect(
			optionsOf(options)
				.map(({ name }) => name)
				.sort(),
		).toEqual(names);
	});

	test.each([
		[
			'create',
			'additionalFields',
			[
				...['assignee_emails', 'author_email', 'description', 'field_values', 'metadata'],
				...['opened_at', 'priority', 'status', 'tag_names', 'template_id'],
			],
		],
		[
			'update',
			'updateFields',
			[
				...['add_assignee_emails', 'add_tag_names', 'assignee_emails', 'author_email'],
				...['description', 'name', 'opened_at', 'priority', 'remove_assignee_emails'],
				...['remove_tag_names', 'resolved_at', 'status', 'team_id'],
			],
		],
	])('of the entries of case.%s: %s', async (operation, name, entries) => {
		const names = optionsOf(await field('case', operation, name)).map((entry) => entry.name);
		expect(names.sort()).toEqual(entries);
	});

	test.each([
		['case', 'getAll', 'returnAll', false],
		['case', 'getAll', 'limit', 50],
		['case', 'getAll', 'output', 'simplified'],
		['case', 'get', 'output', 'simplified'],
		['comment', 'getAll', 'returnAll', false],
		['comment', 'getAll', 'limit', 50],
		['comment', 'getAll', 'output', 'simplified'],
		['activity', 'getAll', 'output', 'simplified'],
		['activity', 'getAll', 'activityTypes', []],
		['record', 'getAll', 'output', 'simplified'],
		['record', 'getAll', 'recordTypes', []],
		['action', 'replace', 'actionsFrom', 'fields'],
		['action', 'upsert', 'actionsFrom', 'fields'],
		['action', 'replace', 'actionsJson', '[]'],
		['action', 'upsert', 'actionsJson', '[]'],
		['action', 'delete', 'matchLabel', ''],
		['action', 'delete', 'matchUrl', ''],
	])('%s.%s has the default of %s: %j', async (resource, operation, name, value) => {
		expect((await field(resource, operation, name))?.default).toEqual(value);
	});

	test.each(OPERATIONS.filter(([, operation]) => operation !== 'sendAndWait'))(
		'the options of %s.%s show the defaults that hold where they are left out',
		async (resource, operation) => {
			const options = optionsOf(
				await field(resource, operation, 'options'),
			) as unknown as INodeProperties[];
			const defaults = Object.fromEntries(options.map((option) => [option.name, option.default]));
			expect(defaults).toMatchObject({ concurrency: 8, maxRetries: 4, timeout: 120_000 });
			expect(defaults.pageSize ?? 50).toBe(50);
		},
	);

	test.each(OPERATIONS.filter(([, operation]) => /^(get|getAll|count|digest)$/.test(operation)))(
		'%s.%s shows at most six fields before anything is added',
		async (resource, operation) => {
			const given = { resource, operation };
			const node = { typeVersion: 1, parameters: given };
			const shown = NodeHelpers.getNodeParameters(
				await properties(),
				given,
				true,
				false,
				node,
				null,
			);
			const own = Object.keys(shown ?? {}).filter((name) => !(name in given));
			expect(own).toContain('options');
			expect(own.length).toBeLessThanOrEqual(6);
		},
	);

	it('of the orders, the API’s eight', async () => {
		const order = await field('case', 'getAll', 'order');
		expect(order?.default).toBe('CREATED_DESC');
		expect(valuesOf(order).sort()).toEqual([
			'CREATED_ASC',
			'CREATED_DESC',
			'LEAST_RECENTLY_EDITED',
			'OPENED_ASC',
			'OPENED_DESC',
			'PRIORITY_ASC',
			'PRIORITY_DESC',
			'RECENTLY_EDITED',
		]);
		for (const { name, value } of optionsOf(order)) expect(name).not.toBe(value);
	});

	it('of the outputs and of the ways to give actions', async () => {
		expect(valuesOf(await field('case', 'getAll', 'output')).sort()).toEqual([
			'raw',
			'selected',
			'simplified',
		]);
		expect(valuesOf(await field('comment', 'getAll', 'output')).sort()).toEqual([
			'raw',
			'simplified',
		]);
		expect(valuesOf(await field('action', 'replace', 'actionsFrom')).sort()).toEqual([
			'fields',
			'items',
			'json',
		]);
	});

	test.each([
		'case.get',
		'comment.getAll',
		'action.replace',
		'action.upsert',
		'action.delete',
		'action.sendAndWait',
		'action.clear',
		'action.getAll',
	])('of the case locator of %s: list, id and url', async (name) => {
		const [resource, operation] = name.split('.');
		const locator = await field(resource, operation, 'caseId');
		expect(locator?.type).toBe('resourceLocator');
		expect(locator?.modes?.map((mode) => mode.name)).toEqual(['list', 'id', 'url']);
		expect(locator?.modes?.[0].typeOptions).toEqual({
			searchListMethod: 'searchCases',
			searchable: true,
		});
	});
});

describe('fields of the form', () => {
	it('have no type for n8n to check, as the node skips that check', async () => {
		const form = JSON.stringify(await properties());
		expect(form).toContain('"type":"resourceLocator"');
		expect(form).not.toMatch(/"validateType"|"type":"resourceMapper"/);
	});
});

describe('the form of an operation that reads', () => {
	test.each([
		['case', 'getAll', 7],
		['case', 'get', 6],
		['case', 'count', 6],
		['case', 'digest', 6],
		['comment', 'getAll', 6],
		['activity', 'getAll', 6],
		['record', 'getAll', 6],
		['action', 'getAll', 6],
	])(
		'of %s.%s shows %i controls at most before anything is added',
		async (resource, operation, most) => {
			const all = await fieldsOf(resource, operation);
			const defaults = new Map(all.map(({ name, default: value }) => [name, value]));
			const shown = all.filter(({ displayOptions }) =>
				Object.entries(displayOptions?.show ?? {}).every(
					([name, values]) =>
						['resource', 'operation'].includes(name) ||
						values?.some((value) => value === defaults.get(name)),
				),
			);
			expect(shown.length).toBeGreaterThan(1);
			expect(shown.length).toBeLessThanOrEqual(most);
		},
	);
});

describe('actions in the form', () => {
	test.each(['replace', 'upsert'])('of action.%s have their fields in one order', async (name) => {
		const collection = await field('action', name, 'actions');
		const [{ values }] = collection?.options as INodePropertyCollection[];
		expect(values.map(({ displayName }) => displayName)).toEqual([
			'Label',
			'Type',
			'URL',
			'Button Text',
		]);
	});

	test.each(['replace', 'upsert'])('of action.%s as JSON show an example', async (name) => {
		const json = await field('action', name, 'actionsJson');
		const [example] = JSON.parse(json?.hint?.replace('Example: ', '') ?? '') as object[];
		expect(Object.keys(example)).toEqual(['label', 'action_type', 'url', 'action_text']);
	});

	it('are called case actions in the nodes panel, where every resource has a description', async () => {
		const resource = (await properties()).find(({ name }) => name === 'resource');
		const labels = optionsOf(resource).map(({ name, value }) => [value, name]);
		expect(Object.fromEntries(labels)).toMatchObject({ action: 'Case Action' });
		for (const { description: text } of optionsOf(resource)) expect(text).toMatch(/\S+ \S+/);
		const operations = (await properties()).find(
			({ name, displayOptions }) =>
				name === 'operation' && displayOptions?.show?.resource?.includes('action'),
		);
		for (const { action } of optionsOf(operations)) {
			expect(action).toMatch(/ case actions$|^Ask in case and wait$/);
			expect(action).not.toMatch(/\b(a|the)\b/);
		}
	});
});

describe('the hint before the first run', () => {
	const shown = async (parameters: INodeParameters) => {
		const { nodeTypes } = await builtTypes();
		const node: INode = {
			id: 'node',
			name: 'Node',
			type: CASES_NODE,
			typeVersion: 1,
			position: [0, 0],
			parameters,
		};
		const { expression } = new Workflow({
			nodes: [node],
			connections: {},
			active: false,
			nodeTypes,
		});
		const { hints = [] } = await description();
		const isShown = ({ displayCondition }: NodeHint) =>
			expression.getSimpleParameterValue(node, displayCondition, 'internal', {}) === true;
		return await expression.withIsolate(async () => hints.filter(isShown));
	};

	test.each([
		['clear', /^Removes all existing actions of the case\./],
		['replace', /^Removes all existing actions of the case\./],
	])('of action.%s says what it removes', async (operation, message) => {
		const hints = await shown({ resource: 'action', operation });
		expect(hints).toMatchObject([
			{ whenToDisplay: 'beforeExecution', message: expect.stringMatching(message) },
		]);
	});

	it.each([
		['an operation that removes nothing', { resource: 'action', operation: 'getAll' }],
		['another resource', { resource: 'case', operation: 'getAll' }],
		['a preview', { resource: 'action', operation: 'clear', options: { previewOnly: true } }],
	])('is not there for %s', async (_what, parameters) => {
		expect(await shown(parameters)).toEqual([]);
	});
});

describe('filters in the form', () => {
	const filters = async () =>
		optionsOf(await field('case', 'getAll', 'filters')) as unknown as INodeProperties[];

	test.each([
		['and_tags', 'getTags'],
		['tags', 'getTags'],
		['or_tags', 'getTags'],
		['excluded_tags', 'getTags'],
		['assignees', 'getUserIds'],
		['assignee_emails', 'getUserEmails'],
		['author_emails', 'getUserEmails'],
		['team_id', 'getTeams'],
	])(
		'%s has suggestions, takes other values by expression, and says where they come from',
		async (name, method) => {
			const filter = (await filters()).find((candidate) => candidate.name === name);
			expect(filter?.type).toBe(name === 'team_id' ? 'options' : 'multiOptions');
			expect(filter?.typeOptions).toEqual({
				loadOptionsMethod: method,
				allowArbitraryValues: true,
			});
			expect(filter?.description).toMatch(/Suggestions come from the 200 newest cases/);
			expect(filter?.description).toMatch(/using an <a href=".*">expression<\/a>/);
		},
	);

	it('have a label and a description each, and no label twice', async () => {
		const labels = (await filters()).map(({ displayName }) => displayName);
		expect(new Set(labels).size).toBe(labels.length);
		for (const filter of await filters()) expect(filter.description).toMatch(/\S{3}/);
	});
});

describe('texts in the nodes panel and the forms', () => {
	it('describe what the node does', async () => {
		expect((await description()).description).toMatch(
			/^Find, read, create, .* ask in a case and wait$/,
		);
	});

	it('name the unit of Timeout, the parts to Load in Full, and the comments', async () => {
		const options = (await field('case', 'getAll', 'options'))?.options as INodeProperties[];
		const labelOf = (name: string) => options.find((one) => one.name === name)?.displayName;
		expect(labelOf('timeout')).toBe('Timeout (Ms)');
		expect(labelOf('loadInFull')).toBe('Load in Full');
		expect(labelOf('includeComments')).toBe('Include Comments');
	});

	it('speak of no pages, rows or requests in the operations', async () => {
		const operations = (await properties()).filter(({ name }) => name === 'operation');
		for (const { description: text } of operations.flatMap(optionsOf)) {
			expect(text).not.toMatch(/request|page|row|several .* at a time/i);
		}
	});
});

it('The form for bug reports names every operation', async () => {
	const all = await properties();
	const resource = optionsOf(all.find(({ name }) => name === 'resource'));
	const names = resource.flatMap(({ name, value }) => {
		const operation = all.find(
			({ name: field, displayOptions }) =>
				field === 'operation' && displayOptions?.show?.resource?.includes(value),
		);
		return optionsOf(operation).map((one) => `${name}: ${one.name}`);
	});
	const form = read('.github/ISSUE_TEMPLATE/bug_report.yml');
	const offered = [...form.matchAll(/^ +- '(.+: .+)'$/gm)].map(([, name]) => name);
	expect(offered.sort()).toEqual(names.sort());
});

it('The page of all fields has no value that is written as an object', () => {
	expect(read('docs/operations.md')).not.toContain('[object');
});

describe('as a tool of an agent', () => {
	it('the node may be used', async () => {
		expect((await description()).usableAsTool).toBe(true);
	});

	test.each(OPERATIONS)(
		'%s.%s has an action without articles that tells it from all others',
		async (resource, operation) => {
			const operations = (await properties()).filter(({ name }) => name === 'operation');
			const actions = operations.flatMap(optionsOf).map(({ action }) => action);
			const own = optionsOf(
				operations.find(({ displayOptions }) => displayOptions?.show?.resource?.includes(resource)),
			).find(({ value }) => value === operation);
			expect(own?.action).toMatch(/^[A-Z][a-z]+ .*(case|comment|action)/);
			expect(own?.action).not.toMatch(/\b(an?|the)\b/i);
			expect(own?.description).toMatch(/\S{3}/);
			expect(actions.filter((action) => action === own?.action)).toHaveLength(1);
		},
	);

	it('every field that a model can fill in says what it is', async () => {
		for (const { type, description: text, displayName } of await properties()) {
			if (type === 'notice') continue;
			if (displayName === 'Resource' || displayName === 'Operation') continue;
			expect([displayName, text]).toEqual([displayName, expect.stringMatching(/\S+ \S+/)]);
		}
	});
});

describe('the texts of all forms', () => {
	type Entry = INodeProperties | INodePropertyCollection | INodePropertyOptions;

	/** A field and those inside of it. */
	function withInner(one: INodeProperties): INodeProperties[] {
		const inner = ((one.options ?? []) as Entry[]).flatMap((entry) => {
			if ('values' in entry) return entry.values;
			return 'type' in entry ? [entry] : [];
		});
		return [one, ...inner.flatMap(withInner)];
	}

	async function allFields() {
		const { nodeTypes, credentialTypes } = await builtTypes();
		const forms = [
			nodeTypes.getByNameAndVersion(CASES_NODE, 1).description,
			nodeTypes.getByNameAndVersion(`${CASES_NODE}Trigger`, 1).description,
			credentialTypes.getByName('casesApi'),
		];
		const isOurs = ({ name }: INodeProperties) =>
			name !== 'pollTimes' && !name.startsWith('allowed');
		return forms.flatMap(({ properties: all }) => all.filter(isOurs).flatMap(withInner));
	}

	it('describe a switch with a sentence that begins with Whether', async () => {
		const switches = (await allFields()).filter(({ type }) => type === 'boolean');
		expect(switches.length).toBeGreaterThan(5);
		for (const { description: text } of switches) expect(text).toMatch(/^Whether /);
	});

	it('show an example in empty fields, and what is added to collections', async () => {
		for (const { type, placeholder, displayName, modes = [] } of await allFields()) {
			const isCollection = type === 'collection' || type === 'fixedCollection';
			const shape = isCollection ? /^Add [A-Z]/ : /^e\.g\. /;
			if (placeholder !== undefined || isCollection) {
				expect([displayName, placeholder]).toEqual([displayName, expect.stringMatching(shape)]);
			}
			for (const mode of modes.filter((one) => one.type === 'string')) {
				expect(mode.placeholder).toMatch(/^e\.g\. /);
			}
		}
	});

	it('describe a choice in 118 letters at most, because n8n shows two lines', async () => {
		const choices = (await allFields()).filter(({ type }) => /options/i.test(type));
		const texts = choices.flatMap(optionsOf).map(({ description: text = '' }) => text);
		expect(texts.filter((text) => text.length > 118)).toEqual([]);
	});

	it('end with a full stop if they are several sentences, and without if they are one', async () => {
		for (const { description: text = '' } of await allFields()) {
			const sentences = text.replaceAll('e.g. ', '').split(/[.?] /);
			if (sentences.length > 1) expect(text).toMatch(/\.$/);
			else expect(text).not.toMatch(/\.$/);
		}
	});
});
