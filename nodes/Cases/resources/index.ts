import type { INodeProperties, INodeTypeDescription, NodeHint } from 'n8n-workflow';

import { InvalidInput, quote } from '../api/failures/failure';
import { nameOfOperation, subtitleOf } from '../fields/subtitle';
import type { Operation } from '../n8n/run';
import { RESOURCES, type Resource } from './operations';

/** Finds an operation. An unknown operation, such as n8n's own Custom API Call, fails with InvalidInput when it runs. */
export function operationOf(resource: string, operation: string): Operation {
	const operations = Object.hasOwn(RESOURCES, resource) ? RESOURCES[resource].operations : {};
	if (Object.hasOwn(operations, operation)) return operations[operation].execute;
	const unknown = new InvalidInput(
		`The Cases node has no operation ${quote(operation)} of resource ${quote(resource)}`,
		"Choose one from the list. For another request of the API, use an HTTP Request node: set its 'Authentication' to Predefined Credential Type and its 'Credential Type' to Cases API.",
	);
	return async () => await Promise.reject(unknown);
}

const RESOURCE: INodeProperties = {
	displayName: 'Resource',
	name: 'resource',
	type: 'options',
	noDataExpression: true,
	options: Object.entries(RESOURCES).map(([value, { name, description }]) => ({
		name,
		value,
		description,
	})),
	default: 'case',
};

/** The field Operation of a resource, and the fields of its operations. */
function fieldsOf([resource, { operations, default: first = 'getAll' }]: [string, Resource]) {
	const operation: INodeProperties = {
		displayName: 'Operation',
		name: 'operation',
		type: 'options',
		noDataExpression: true,
		displayOptions: { show: { resource: [resource] } },
		options: Object.entries(operations).map(([value, { name, action, description }]) => ({
			name,
			value,
			action,
			description,
		})),
		default: first,
	};
	const forms = Object.entries(operations).flatMap(([name, { form }]) =>
		form.map((one): INodeProperties => {
			const show = { resource: [resource], operation: [name], ...one.displayOptions?.show };
			return { ...one, displayOptions: { ...one.displayOptions, show } };
		}),
	);
	return [operation, ...forms];
}

/** Hints for AI that builds workflows. n8n refuses to load a node with such a hint on Resource or Operation. */
const PROPERTY_HINTS: Record<string, string> = {
	filters:
		'Only the filters you add apply, and a case must match all of them. Leave out what nobody asked for.',
	options: 'Only what you add applies. Leave it empty unless somebody asks for an option.',
	caseId:
		'For a case of an earlier node use mode id with an expression for its case_id. Use mode id for a given number too.',
};

export const PROPERTIES: INodeProperties[] = [
	RESOURCE,
	...Object.entries(RESOURCES).flatMap(fieldsOf),
].map((field) => {
	const propertyHint = PROPERTY_HINTS[field.name];
	return propertyHint === undefined ? field : { ...field, builderHint: { propertyHint } };
});

/** What n8n's AI builder and MCP server say about the node in a search. */
export const NODE_HINT: INodeTypeDescription['builderHint'] = {
	searchHint:
		'Creates, updates, assigns, closes and comments on cases (incidents, alerts, tickets), reads them with their comments, history, records, tasks and files, writes tasks, records, files and links, and sets their case actions. To tell what happened in a case, use resource case, operation digest. To start a workflow by cases, use the Cases Trigger.',
	relatedNodes: [
		{
			nodeType: 'n8n-nodes-cases.casesTrigger',
			relationHint: 'Starts a workflow when cases are created, updated, closed or commented on',
		},
	],
};

/** Warnings that the editor shows before the first run of an operation that can't be undone. */
export const HINTS: NodeHint[] = [
	{
		message:
			"Removes all existing actions of the case. This can't be undone. To see the effect first, turn on 'Preview Only' under 'Options'.",
		type: 'warning',
		location: 'outputPane',
		whenToDisplay: 'beforeExecution',
		displayCondition:
			'={{ $parameter["resource"] === "action" && ["clear", "replace"].includes($parameter["operation"]) && !$parameter["options"]?.["previewOnly"] }}',
	},
	{
		message: "Deletes what the ID names. This can't be undone.",
		type: 'warning',
		location: 'outputPane',
		whenToDisplay: 'beforeExecution',
		displayCondition:
			'={{ $parameter["resource"] !== "action" && $parameter["operation"] === "delete" }}',
	},
];

export const SUBTITLE = subtitleOf(
	nameOfOperation,
	Object.fromEntries(
		Object.entries(RESOURCES).flatMap(([resource, { operations }]) =>
			Object.entries(operations).map(([name, { action }]) => [`${resource}.${name}`, action]),
		),
	),
);
