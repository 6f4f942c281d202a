import type { INodeProperties, INodeTypeDescription } from 'n8n-workflow';

/** What n8n's AI builder and its MCP server say of the node in a search. */
export const NODE_HINT: INodeTypeDescription['builderHint'] = {
	searchHint:
		'Creates, updates, assigns, closes and comments on cases (incidents, alerts, tickets), reads them with their comments, history and records, and sets their case actions. To tell what happened in a case, use resource case, operation digest. To start a workflow by cases, use the Cases Trigger.',
	relatedNodes: [
		{
			nodeType: 'n8n-nodes-cases.casesTrigger',
			relationHint: 'Starts a workflow when cases are created, updated, closed or commented on',
		},
	],
};

const HINTS: Record<string, string> = {
	filters:
		'Only the filters you add apply, and a case must match all of them. Leave out what nobody asked for.',
	options: 'Only what you add applies. Leave it empty unless somebody asks for an option.',
	caseId:
		'For a case of an earlier node use mode id with an expression for its case_id. For a number that a person gives use mode id too.',
};

/**
 * Fields with the hints that an AI builder reads beside their descriptions. n8n refuses to load a node with a hint on
 * Resource or Operation.
 */
export function withBuilderHints(fields: INodeProperties[]): INodeProperties[] {
	return fields.map((field) => {
		const propertyHint = HINTS[field.name];
		return propertyHint === undefined ? field : { ...field, builderHint: { propertyHint } };
	});
}
