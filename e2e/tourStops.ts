import type {
	IDataObject,
	INode,
	INodeParameters,
	INodeProperties,
	INodePropertyOptions,
} from 'n8n-workflow';
import { PROPERTIES } from '../nodes/Cases/resources';
import { EVENTS, isMatchEvent } from '../nodes/Cases/trigger/events';
import { triggerFields } from '../nodes/Cases/trigger/form';
import type { FaultRule } from '../sandbox';
import { webhookTriggerFields } from '../nodes/Cases/webhookTrigger/settings';
import {
	casesNode,
	casesTrigger,
	casesWebhookTrigger,
	itemsNode,
	node,
} from '../tools/n8n/workflows';
import type { Editor } from './editor';
import { otherForms, withAllAdded } from './tourForms';

/** The credentials of the tour, by what is special about them. */
export interface TourCredentials {
	right: string;
	wrongKey: string;
	/** The Base URL has a path that no tenant has. */
	wrongPath: string;
	/** Nothing listens on the port of the Base URL. */
	noService: string;
	/** The Base URL is plain http to another machine. */
	plainHttp: string;
	/** The Base URL is not a web address. */
	noAddress: string;
}

/** A node of the tour. */
export interface Stop {
	/** Name of the picture and of the node. */
	name: string;
	parameters: IDataObject;
	/** Which of the triggers the node is. */
	trigger?: 'polling' | 'webhook';
}

/** One picture of the tour: a node that ran, and what a person must be able to read there. */
export interface TourStop extends Stop {
	/** Default: the right one. */
	credential?: keyof TourCredentials;
	/** Input items; the node runs once for each. */
	items?: IDataObject[];
	/** A node behind this one is opened instead. */
	opensNext?: boolean;
	/** What goes wrong at the service meanwhile. */
	faults?: FaultRule[];
	/** What is opened instead of running the node. */
	show?: (editor: Editor) => Promise<void>;
	/** Texts that the picture shows. */
	reads: Array<string | RegExp>;
}

/** The nodes of a stop; the last one is opened. */
export function nodesOf(stop: Stop | TourStop, credentials: TourCredentials): INode[] {
	const { name, parameters, trigger } = stop;
	const { items, opensNext = false, credential: which = 'right' } = stop as TourStop;
	const credential = credentials[which];
	if (trigger === 'polling') return [casesTrigger(name, credential, parameters)];
	if (trigger === 'webhook') return [casesWebhookTrigger(name, credential, parameters)];
	return [
		...(items === undefined ? [] : [itemsNode(`Items of ${name}`, items)]),
		casesNode(opensNext ? `Before ${name}` : name, credential, parameters),
		...(opensNext ? [node(name, 'n8n-nodes-base.noOp', 1)] : []),
	];
}

const byId = (value: unknown) => ({ __rl: true, mode: 'id', value });
const OF_ITEM = byId('={{ $json.case_id }}');
/** A case without closure conditions. */
const TOUR_CASE = 497;
const ITEMS = [500, 501, 502].map((case_id) => ({ case_id }));

const action = (label: string, text = '') => ({
	label,
	action_type: 'webhook',
	url: `https://example.com/webhook/${label.toLowerCase().replaceAll(' ', '-')}`,
	action_text: text,
});
const given = (...actions: object[]) => ({ actions: { action: actions } }) as IDataObject;

const cases = (operation: string, more: IDataObject = {}) => ({
	resource: 'case',
	operation,
	...more,
});
const comments = (more: IDataObject) => ({ resource: 'comment', operation: 'getAll', ...more });
const actions = (operation: string, more: IDataObject) => ({
	resource: 'action',
	operation,
	...more,
});

const ofTourCase = (resource: string, operation: string, more: IDataObject = {}) => ({
	...{ resource, operation, caseId: byId(TOUR_CASE) },
	...more,
});

/** Every answer to the node is this one. */
const always = (fault: FaultRule['fault']): FaultRule[] => [{ times: 1000, fault }];
const NO_RETRIES = { options: { maxRetries: 0 } };

/** The resource and the operation of every form. */
export const OPERATIONS = PROPERTIES.filter(({ name }) => name === 'operation').flatMap(
	({ displayOptions, options }) =>
		(options as INodePropertyOptions[]).map(({ value }) => ({
			resource: displayOptions?.show?.resource?.[0] as string,
			operation: value as string,
		})),
);

/** A form of one of the nodes, as it opens or with everything added that can be added. */
export interface FormStop extends Stop {
	properties: INodeProperties[];
	/** What n8n itself shows above the fields. */
	above: string[];
}

function formsOf(
	name: string,
	properties: INodeProperties[],
	parameters: INodeParameters,
	more: Pick<FormStop, 'trigger' | 'above'>,
): FormStop[] {
	const stop = (what: string, shown: INodeParameters): FormStop => {
		return { name: `form ${name}${what}`, properties, parameters: shown as IDataObject, ...more };
	};
	const everything = (shown: INodeParameters) => withAllAdded(properties, shown);
	return [
		stop('', parameters),
		stop(' with everything', everything(parameters)),
		...otherForms(properties, parameters).map((shown, index) =>
			stop(` changed ${index + 1}`, everything(shown)),
		),
	];
}

/** Every form of the nodes: as it opens, with everything added, and after each change that shows other fields. */
export const FORMS: FormStop[] = [
	...OPERATIONS.flatMap((parameters) =>
		formsOf(`${parameters.resource} ${parameters.operation}`, PROPERTIES, parameters, {
			above: ['Credential'],
		}),
	),
	...formsOf(
		'trigger',
		triggerFields,
		{},
		{
			trigger: 'polling',
			above: ['Credential', 'Poll Times', 'Mode'],
		},
	),
	...formsOf(
		'webhook trigger',
		webhookTriggerFields,
		{},
		{ trigger: 'webhook', above: ['Credential'] },
	),
];

const refused = (name: string, parameters: IDataObject, ...reads: TourStop['reads']): TourStop => ({
	name: `error ${name}`,
	parameters,
	reads,
});

/** Every error of what was entered. */
const REFUSALS: TourStop[] = [
	refused('limit 0', cases('getAll', { limit: 0 }), /Limit' must be a whole number, 1 or more/),
	refused(
		'filters as one expression',
		cases('getAll', { filters: '={{ ({ status: "CLOSED" }) }}' }),
		"'Filters' can't be set by one expression",
	),
	refused(
		'wrong way round',
		cases('count', {
			filters: {
				updated_at_start_date: '2026-03-01T00:00:00',
				updated_at_end_date: '2026-02-01T00:00:00',
			},
		}),
		"'Updated From' is later than 'Updated Until'",
	),
	refused('case ID', cases('get', { caseId: byId('five') }), /is not a case ID/),
	refused(
		'case of another tenant',
		cases('get', {
			caseId: { __rl: true, mode: 'url', value: 'https://other.example.com/cases/5' },
		}),
		/The case address belongs to other\.example\.com/,
	),
	refused(
		'no action',
		actions('replace', { caseId: byId(500), actionsFrom: 'json' }),
		'No action was given',
		/use the operation Clear/,
	),
	refused(
		'JSON',
		actions('replace', {
			caseId: byId(500),
			actionsFrom: 'json',
			actionsJson: '[{ "label": "Contain host" },]',
		}),
		/^Could not read 'Actions \(JSON\)'/,
	),
	{
		...refused(
			'one case for several items',
			actions('replace', { caseId: byId(500), ...given(action('Third action')) }),
			/3 input items .* would replace the actions of case 500/,
			/with Execute Once in Settings/,
		),
		items: ITEMS,
	},
	{
		...refused(
			'events that never come',
			{ events: ['caseClosed'], filters: { status: 'OPEN' } },
			"'Case Closed' can never start the workflow",
		),
		trigger: 'polling',
	},
];

const failed = (name: string, fault: FaultRule['fault'], ...reads: string[]): TourStop => ({
	...refused(name, cases('getAll', NO_RETRIES), ...reads),
	faults: always(fault),
});

/** Every error of the service. */
const FAILURES: TourStop[] = [
	{
		...refused('wrong key', cases('getAll'), 'The service refused the API key (401)'),
		credential: 'wrongKey',
	},
	{
		...refused(
			'wrong path',
			cases('getAll'),
			'Not found, or the API key has no access to it',
			"'Base URL'",
		),
		credential: 'wrongPath',
	},
	{
		...refused('no service', cases('getAll', NO_RETRIES), 'Could not connect to'),
		credential: 'noService',
	},
	refused('no such case', cases('get', { caseId: byId(99_999) }), 'Case 99999 was not found'),
	failed(
		'rate limit',
		{ kind: 'status', status: 429, body: { error: 'Too many requests' } },
		'Rate limit reached (429)',
		'Too many requests',
	),
	failed('outage', { kind: 'status', status: 503 }, '(503)'),
	failed('web page', { kind: 'html' }, 'a web page instead of data'),
	failed('cut connection', { kind: 'drop' }, 'lost'),
	failed(
		'redirect',
		{ kind: 'redirect', status: 302, to: 'https://login.example.com/' },
		'The service redirects to another address (302)',
	),
	{
		...failed('slow service', { kind: 'latency', ms: 3000 }, 'did not answer in time'),
		parameters: cases('getAll', { options: { maxRetries: 0, timeout: 500 } }),
	},
	{
		...refused(
			'after some writes',
			actions('replace', {
				caseId: OF_ITEM,
				...given(action('Contain host')),
				options: { maxRetries: 0, concurrency: 1 },
			}),
			'(500)',
		),
		items: ITEMS,
		faults: [{ match: { method: 'PUT', nth: 2 }, fault: { kind: 'status', status: 500 } }],
	},
];

const ran = (name: string, parameters: IDataObject, ...reads: TourStop['reads']): TourStop => ({
	name: `output ${name}`,
	parameters,
	reads,
});

/** Outputs and the hints over them: at least one of each operation. Ask and Wait has a tour of its own. */
export const OUTPUTS: TourStop[] = [
	ran('limit', cases('getAll'), "'Limit' kept the first 50"),
	ran('all', cases('getAll', { returnAll: true }), 'case_id'),
	ran('blank row', cases('getAll', { filters: { records: [[], ''] } }), '50 items'),
	ran('none', cases('getAll', { filters: { search: 'no such case' } }), 'No case found.'),
	ran('count since today', cases('count', { filters: { updated_within: '7d' } }), 'count'),
	ran('by number', cases('get', { caseId: byId('#500') }), '500'),
	ran('activities truncated', cases('get', { caseId: byId(507), output: 'raw' }), 'Load in Full'),
	{
		...ran('same for all', cases('count'), 'turn on Execute Once in Settings.'),
		items: ITEMS,
	},
	ran('comments', comments({ caseId: byId(500) }), 'author_email'),
	{
		...ran('no comments', comments({ caseId: OF_ITEM }), /No comment found/),
		items: ITEMS,
	},
	ran('text of a case', cases('digest', { caseId: byId(500) }), 'truncated'),
	ran(
		'activities',
		{ resource: 'activity', operation: 'getAll', caseId: byId(500) },
		'activity_id',
	),
	ran('records', { resource: 'record', operation: 'getAll', caseId: byId(500) }, 'record_id'),
	ran(
		'create case',
		cases('create', { teamId: byId(1), name: 'Made on the tour' }),
		'Made on the tour',
		'changed',
	),
	ran(
		'preview of update',
		cases('update', {
			caseId: byId(500),
			updateFields: { name: 'Renamed', add_tag_names: 'tour' },
			options: { previewOnly: true },
		}),
		'Preview only: items',
	),
	ran(
		'update case',
		cases('update', { caseId: byId(501), updateFields: { priority: 'HIGH' } }),
		'HIGH',
	),
	ran('close case', cases('close', { caseId: byId(TOUR_CASE) }), 'CLOSED'),
	ran('reopen case', cases('reopen', { caseId: byId(TOUR_CASE) }), 'OPEN'),
	ran(
		'comment on case',
		{ resource: 'comment', operation: 'create', caseId: byId(TOUR_CASE), text: '**Seen**' },
		'comment_id',
	),
	refused(
		'no such comment',
		{ resource: 'comment', operation: 'delete', caseId: byId(TOUR_CASE), commentId: '1' },
		'Comment 1 of case 497 not found, or no access (404)',
	),
	refused(
		'no such comment to change',
		ofTourCase('comment', 'update', { commentId: '1', text: 'New' }),
		'Comment 1 of case 497 not found',
	),
	ran('link', ofTourCase('case', 'link', { linkedCaseIds: '500' }), 'linked_cases'),
	ran('unlink', ofTourCase('case', 'unlink', { linkedCaseIds: '500' }), 'removed'),
	ran('delete case', cases('delete', { caseId: byId(498) }), 'deleted'),
	ran('create task', ofTourCase('task', 'create', { description: 'Write report' }), 'task_id'),
	ran('tasks', ofTourCase('task', 'getAll', { returnAll: true }), 'Write report'),
	refused(
		'no such task',
		ofTourCase('task', 'update', { taskId: byId('1'), updateFields: { completed: true } }),
		'Task 1 of case 497 not found',
	),
	refused(
		'no such task to delete',
		ofTourCase('task', 'delete', { taskId: byId('1') }),
		'Task 1 of case 497 not found',
	),
	ran(
		'create record',
		ofTourCase('record', 'create', {
			recordTypeId: byId('12'),
			recordFields: { field: [{ field: '1200', value: 'web-7' }] },
		}),
		'record_id',
	),
	...['link', 'unlink'].map((operation) =>
		refused(
			`no such record to ${operation}`,
			ofTourCase('record', operation, { recordId: '1' }),
			/^Record 1 or (case 497|the case) not found/,
		),
	),
	refused('no binary', ofTourCase('file', 'upload'), /binary/i),
	ran('files', ofTourCase('file', 'getAll', { returnAll: true }), /file_id|No file found/),
	...['download', 'delete'].map((operation) =>
		refused(
			`no such file to ${operation}`,
			ofTourCase('file', operation, { fileId: '1' }),
			'File 1 of case 497 not found',
		),
	),
	ran('actions', actions('getAll', { caseId: byId(500) }), 'action_type'),
	{
		...ran(
			'preview of replace',
			actions('replace', {
				caseId: OF_ITEM,
				...given(action('Contain host')),
				options: { previewOnly: true },
			}),
			'Preview only: items',
		),
		items: ITEMS,
	},
	ran('clear', actions('clear', { caseId: byId(503) }), 'removed'),
	ran(
		'create',
		actions('upsert', {
			caseId: byId(500),
			...given(action('Third action')),
		}),
		'changed',
	),
	ran('delete', actions('delete', { caseId: byId(505), matchLabel: 'First action' }), 'removed'),
	ran(
		'skip unchanged',
		actions('replace', {
			caseId: byId(504),
			...given(action('First action')),
			options: { skipUnchanged: true },
		}),
		'changed',
	),
	{
		name: 'output previewed in the next node',
		parameters: cases('getAll'),
		opensNext: true,
		reads: ['Preview', 'case_id'],
	},
];

const events = EVENTS.map(({ value }) => value);

const fetched = (name: string, parameters: IDataObject, ...reads: TourStop['reads']): TourStop => ({
	...ran(name, parameters, ...reads),
	trigger: 'polling',
});

/** What Fetch Test Event shows. */
const TEST_EVENTS: TourStop[] = [
	...events.map((event) =>
		fetched(
			`test event ${event}`,
			{ events: [event], filters: isMatchEvent(event) ? { priority: ['MEDIUM'] } : {} },
			new RegExp(`${event}|Nothing to show yet`),
		),
	),
	fetched(
		'test events',
		{ events, filters: { priority: ['MEDIUM'] } },
		'activityAdded',
		'caseCreated',
	),
	// Cases that don't match are examples of those that no longer do.
	fetched(
		'no test event',
		{ events: ['caseCreated', 'caseMatched'], filters: { search: 'no such case' } },
		'Nothing to show yet',
	),
];

const tested = (name: keyof TourCredentials, ...reads: string[]): TourStop => ({
	name: `credential ${name}`,
	parameters: cases('getAll'),
	credential: name,
	show: async (editor) => await editor.openFailingCredential(),
	reads,
});

/** What the test in the credential's window says. */
const CREDENTIAL_TESTS: TourStop[] = [
	tested('wrongKey', 'refused the API key'),
	tested('wrongPath', 'Base URL'),
	tested('noService', 'ECONNREFUSED'),
	tested('plainHttp', 'unencrypted'),
	tested('noAddress', 'is not the URL of a tenant'),
];

/** The tour: all stops, by group. Those of a group are in one workflow. */
export const TOUR: Record<string, TourStop[]> = {
	'Errors of what was entered': REFUSALS,
	'Errors of the service': FAILURES,
	Outputs: OUTPUTS,
	'Test events': TEST_EVENTS,
	'Tests of the credential': CREDENTIAL_TESTS,
};
