import {
	NodeHelpers,
	type INodeProperties,
	type INodePropertyCollection,
	type INodePropertyOptions,
	type NodeHint,
} from 'n8n-workflow';
import { writeOperationsPage } from '../../docs/operationsPage';
import { builtTypes } from '../../tools/engine/load';
import { expectEvery } from '../support/operations';
import { CASES_NODE } from '../support/service';
import { workflowOf } from '../support/workflow';
import { read } from './sources';

const description = async () =>
	(await builtTypes()).nodeTypes.getByNameAndVersion(CASES_NODE, 1).description;
const properties = async () => (await description()).properties;

const CASE = 'caseId(list,id,url)';
const LIST = 'returnAll=false limit=50';
const OUTPUT = 'output=simplified fields=name,status,priority';
const ACTIONS =
	'actionsFrom=fields actions actionsJson=[] label action_type=webhook url action_text options';
const SENDING = 'concurrency=8 maxRetries=4 timeout=120000';
const READING = `${SENDING} acceptIncomplete=true`;
const CHANGING = `${SENDING} previewOnly=true`;
const ROWS = `${READING} fullTexts=true`;
const CASE_READING = `${ROWS} includeComments=true loadInFull`;
const CASE_CHANGING = `${CHANGING} skipUnchanged=true`;

/** The fields of each operation in the order of the form, and what its Options has, with defaults that aren't empty. */
const STORED: Array<[operation: string, fields: string, options: string]> = [
	[
		'case.getAll',
		`${LIST} order=CREATED_DESC filters ${OUTPUT} options`,
		`${CASE_READING} pageSize=50`,
	],
	['case.get', `${CASE} ${OUTPUT} options`, CASE_READING],
	['case.count', 'filters options', READING],
	['case.digest', `${CASE} options`, `${ROWS} markTexts=true maxLength=20000 sections`],
	['case.create', `teamId(list,id) name additionalFields ${OUTPUT} options`, CHANGING],
	['case.update', `${CASE} updateFields ${OUTPUT} options`, CASE_CHANGING],
	['case.delete', `${CASE} options`, SENDING],
	['case.link', `${CASE} linkedCaseIds options`, SENDING],
	['case.unlink', `${CASE} linkedCaseIds options`, SENDING],
	['case.close', `${CASE} ${OUTPUT} options`, `${CASE_CHANGING} sub_status_id`],
	['case.reopen', `${CASE} ${OUTPUT} options`, `${CASE_CHANGING} sub_status_id`],
	['comment.getAll', `${CASE} ${LIST} output=simplified options`, ROWS],
	['comment.create', `${CASE} text output=simplified options`, `${CHANGING} author_email`],
	['comment.update', `${CASE} commentId text output=simplified options`, SENDING],
	['comment.delete', `${CASE} commentId options`, SENDING],
	['activity.getAll', `${CASE} ${LIST} activityTypes output=simplified options`, ROWS],
	['file.getAll', `${CASE} ${LIST} output=simplified options`, ROWS],
	[
		'file.upload',
		`${CASE} inputBinaryField=data options`,
		`${SENDING} author_email comment fileName`,
	],
	['file.download', `${CASE} fileId outputBinaryField=data options`, SENDING],
	['file.delete', `${CASE} fileId options`, SENDING],
	['record.getAll', `${CASE} ${LIST} recordTypes output=simplified options`, ROWS],
	['record.create', `${CASE} recordTypeId(list,id) recordFields options`, SENDING],
	['record.link', `${CASE} recordId options`, SENDING],
	['record.unlink', `${CASE} recordId options`, SENDING],
	['task.getAll', `${CASE} ${LIST} output=simplified options`, ROWS],
	['task.create', `${CASE} description additionalFields options`, SENDING],
	['task.update', `${CASE} taskId(list,id) updateFields options`, SENDING],
	['task.delete', `${CASE} taskId(list,id) options`, SENDING],
	['action.replace', `${CASE} ${ACTIONS}`, CASE_CHANGING],
	['action.upsert', `${CASE} ${ACTIONS}`, CHANGING],
	['action.delete', `${CASE} matchLabel matchUrl options`, CHANGING],
	['action.clear', `${CASE} options`, CHANGING],
	['action.getAll', `${CASE} options`, `${SENDING} fullTexts=true`],
	[
		'action.sendAndWait',
		`${CASE} message responseType=approval approvalOptions choices options`,
		'buttonType=webhook keepButtons=true limitWaitTime=45',
	],
];
const OPERATIONS = STORED.map(([operation]) => operation.split('.') as [string, string]);

const optionsOf = (field?: INodeProperties) =>
	((field?.options ?? []) as INodePropertyOptions[]).filter(
		(option) => !('type' in option && option.type === 'hidden'),
	);
const valuesOf = (field?: INodeProperties) => optionsOf(field).map(({ value }) => value);

/** The field Operation of a resource. */
const operationsOf = async (resource: string) =>
	(await properties()).find(
		({ name, displayOptions }) =>
			name === 'operation' && displayOptions?.show?.resource?.includes(resource),
	);

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

	it('of every operation', () => {
		expectEvery(
			STORED.map(([name]) => name),
			'test/package/description.test.ts',
		);
	});

	it('of the resources and operations, with their defaults', async () => {
		const all = await properties();
		const resource = all.find(({ name }) => name === 'resource');
		const names = ['activity', 'case', 'action', 'comment', 'file', 'record', 'task'];
		expect(valuesOf(resource)).toEqual(names);
		expect(resource?.default).toBe('case');
		const operations = all
			.filter(({ name }) => name === 'operation')
			.map((operation) => [
				operation.displayOptions?.show?.resource,
				operation.default,
				valuesOf(operation).sort(),
			]);
		const expected = names.map((name) => [
			[name],
			name === 'action' ? 'replace' : 'getAll',
			OPERATIONS.filter(([of]) => of === name)
				.map(([, operation]) => operation)
				.sort(),
		]);
		expect(operations).toEqual(expected);
	});

	/** A field or an option by its name, with the modes of a locator, or the default where it isn't empty. */
	const shown = ({ name, default: initial, modes }: INodeProperties) => {
		if (modes) return `${name}(${modes.map((mode) => mode.name).join()})`;
		const text = typeof initial === 'object' && !Array.isArray(initial) ? '' : String(initial);
		return text === '' ? name : `${name}=${text}`;
	};

	test.each(STORED)(
		'of %s, with their defaults: %s, and in Options: %s',
		async (name, fields, options) => {
			const form = await fieldsOf(...(name.split('.') as [string, string]));
			expect(form.map(shown).join(' ')).toBe(fields);
			const last = optionsOf(form.at(-1)) as unknown as INodeProperties[];
			expect(last.map(shown).sort()).toEqual(options.split(' ').sort());
		},
	);

	test.each([
		[
			'case.getAll',
			'order',
			'CREATED_ASC CREATED_DESC LEAST_RECENTLY_EDITED OPENED_ASC OPENED_DESC PRIORITY_ASC PRIORITY_DESC RECENTLY_EDITED',
		],
		['case.getAll', 'output', 'raw selected simplified'],
		['comment.getAll', 'output', 'raw simplified'],
		['action.replace', 'actionsFrom', 'fields items json'],
		[
			'case.create',
			'additionalFields',
			'assignee_emails author_email description field_values metadata opened_at priority status sub_status_id tag_names tasks template_id',
		],
		[
			'case.getAll',
			'fields',
			'actions activities activities_meta assignees author closure_conditions created_at description fields linked_cases metadata name opened_at opened_by priority records records_meta resolved_at resolved_by sla status sub_status tags team updated_at url',
		],
		['task.create', 'additionalFields', 'assignee_emails'],
		['task.update', 'updateFields', 'assignee_emails completed description'],
		[
			'case.update',
			'updateFields',
			'add_assignee_emails add_tag_names assignee_emails author_email description field_values metadata name opened_at priority remove_assignee_emails remove_metadata_keys remove_tag_names resolved_at status sub_status_id team_id',
		],
	])('of the values or entries of %s: %s: %s', async (operation, name, expected) => {
		const entries = optionsOf(await field(...(operation.split('.') as [string, string]), name));
		expect(entries.map(({ value, name: entry }) => value ?? entry).sort()).toEqual(
			expected.split(' '),
		);
	});

	it('of the search for a case are the same wherever a case is chosen', async () => {
		const locators = (await properties()).filter(({ name }) => name === 'caseId');
		expect(locators).not.toEqual([]);
		for (const { type, modes } of locators) {
			expect(type).toBe('resourceLocator');
			expect(modes?.[0].typeOptions).toEqual({ searchListMethod: 'searchCases', searchable: true });
		}
	});

	test.each(OPERATIONS.filter(([, operation]) => /^(get|getAll|count|digest)$/.test(operation)))(
		'%s.%s shows at most six fields before anything is added',
		async (resource, operation) => {
			const given = { resource, operation };
			const node = { typeVersion: 1, parameters: given };
			const all = await properties();
			const shown = NodeHelpers.getNodeParameters(all, given, true, false, node, null);
			const own = Object.keys(shown ?? {}).filter((name) => !(name in given));
			expect(own).toContain('options');
			expect(own.length).toBeLessThanOrEqual(6);
		},
	);
});

describe('fields of the form', () => {
	it('have no type for n8n to check, as the node skips that check', async () => {
		const form = JSON.stringify(await properties());
		expect(form).toContain('"type":"resourceLocator"');
		expect(form).not.toMatch(/"validateType"|"type":"resourceMapper"/);
	});
});

describe('actions in the form', () => {
	test.each(['replace', 'upsert'])(
		'of action.%s have their fields in one order, and as JSON an example',
		async (name) => {
			const collection = await field('action', name, 'actions');
			const [{ values }] = collection?.options as INodePropertyCollection[];
			const labels = values.map(({ displayName }) => displayName);
			expect(labels).toEqual(['Label', 'Type', 'URL', 'Button Text']);
			const json = await field('action', name, 'actionsJson');
			const [example] = JSON.parse(json?.hint?.replace('Example: ', '') ?? '') as object[];
			expect(Object.keys(example)).toEqual(['label', 'action_type', 'url', 'action_text']);
		},
	);

	it('are called case actions in the nodes panel, where every resource has a description', async () => {
		const resource = (await properties()).find(({ name }) => name === 'resource');
		const labels = optionsOf(resource).map(({ name, value }) => [value, name]);
		expect(Object.fromEntries(labels)).toMatchObject({ action: 'Case Action' });
		for (const { description: text } of optionsOf(resource)) expect(text).toMatch(/\S+ \S+/);
		for (const { action } of optionsOf(await operationsOf('action'))) {
			expect(action).toMatch(/ case actions$|^Ask in case and wait$/);
		}
	});
});

describe('the hint before the first run', () => {
	const shown = async (parameters: object) => {
		const { node, workflow } = await workflowOf(parameters, {});
		const { expression } = workflow;
		const { hints = [] } = await description();
		const isShown = ({ displayCondition }: NodeHint) =>
			expression.getSimpleParameterValue(node, displayCondition, 'internal', {}) === true;
		return await expression.withIsolate(async () => hints.filter(isShown));
	};

	const REMOVES = {
		whenToDisplay: 'beforeExecution',
		message: expect.stringMatching(/^Removes all existing actions of the case\./),
	};

	it.each([
		['says what Clear removes', { operation: 'clear' }, [REMOVES]],
		['says what Replace All removes', { operation: 'replace' }, [REMOVES]],
		['is not there for an operation that removes nothing', { operation: 'getAll' }, []],
		[
			'says what Delete removes',
			{ resource: 'task', operation: 'delete' },
			[{ message: expect.stringMatching(/^Deletes .* can't be undone/) }],
		],
		['is not there for another resource', { resource: 'case', operation: 'getAll' }, []],
		['is not there for a preview', { operation: 'clear', options: { previewOnly: true } }, []],
	])('%s', async (_what, parameters, expected) => {
		expect(await shown({ resource: 'action', ...parameters })).toMatchObject(expected);
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
			const isListed = ['getTags', 'getTeams'].includes(method);
			const source = isListed
				? 'the service, or from its 200 newest cases'
				: 'the 200 newest cases';
			expect(filter?.description).toContain(`Suggestions come from ${source}.`);
			expect(filter?.description).toMatch(/using an <a href=".*">expression<\/a>/);
		},
	);

	it('have a label and a description each, and no label twice', async () => {
		const labels = (await filters()).map(({ displayName }) => displayName);
		expect(new Set(labels).size).toBe(labels.length);
		for (const filter of await filters()) expect(filter.description).toMatch(/\S{3}/);
	});
});

describe('texts in the nodes panel', () => {
	it('speak of no pages, rows or requests in the operations', async () => {
		const operations = (await properties()).filter(({ name }) => name === 'operation');
		for (const { description: text } of operations.flatMap(optionsOf)) {
			expect(text).not.toMatch(/request|page|row|several .* at a time/i);
		}
	});
});

it('The page of all fields says what the forms say, and writes no value as an object', async () => {
	const { nodeTypes, credentialTypes } = await builtTypes();
	const nodes = ['cases', 'casesTrigger', 'casesWebhookTrigger'].map((name) => {
		const { description: node } = nodeTypes.getByNameAndVersion(`n8n-nodes-cases.${name}`, 1);
		// n8n adds this field to triggers that poll.
		return { ...node, properties: node.properties.filter((field) => field.name !== 'pollTimes') };
	});
	const page = writeOperationsPage(nodes, [credentialTypes.getByName('casesApi')]);
	expect(page).not.toContain('[object');
	expect(page).toBe(read('docs/operations.md'));
});

describe('as a tool of an agent', () => {
	test.each(OPERATIONS)(
		'%s.%s has an action without articles that tells it from all others',
		async (resource, operation) => {
			const operations = (await properties()).filter(({ name }) => name === 'operation');
			const actions = operations.flatMap(optionsOf).map(({ action }) => action);
			const own = optionsOf(await operationsOf(resource)).find(({ value }) => value === operation);
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
