import './environment';
import { ExecuteContext, LoadOptionsContext, RoutingNode } from 'n8n-core';
import { Workflow, createEmptyRunExecutionData } from 'n8n-workflow';
import type {
	ICredentialDataDecryptedObject,
	ICredentialTestRequest,
	INodeCredentialTestResult,
	INodeListSearchResult,
	INodePropertyOptions,
	INodeType,
} from 'n8n-workflow';
import { createAdditionalData } from './additionalData';
import { MemoryCredentialsHelper } from './credentials';
import { builtTypes } from './load';
import type { LoadedTypes } from './load';
import { buildNode } from './node';
import type { NodeOptions } from './node';

export interface MethodOptions extends NodeOptions {
	/** The method's name. */
	method: string;
	/** The parameter that is being filled in, such as `parameters.caseId`. */
	path?: string;
}

export interface ListSearchOptions extends MethodOptions {
	/** What the user typed. */
	filter?: string;
	/** From the previous page. */
	paginationToken?: string;
}

/** What a resource locator's list shows: a page of `methods.listSearch.<method>`. */
export async function listSearch(options: ListSearchOptions): Promise<INodeListSearchResult> {
	const { workflow, context, nodeType } = await loadOptionsContext(options);
	const method = nodeType.methods?.listSearch?.[options.method];
	if (!method) throw new Error(`${options.type} has no listSearch method "${options.method}"`);
	const page = await workflow.expression.withIsolate(
		async () => await method.call(context, options.filter, options.paginationToken),
	);
	// n8n's REST answer turns a number into text, and so it comes back.
	const { paginationToken: token } = page;
	return typeof token === 'number' ? { ...page, paginationToken: String(token) } : page;
}

/** What a dropdown shows: the result of `methods.loadOptions.<method>`. */
export async function loadOptions(options: MethodOptions): Promise<INodePropertyOptions[]> {
	const { workflow, context, nodeType } = await loadOptionsContext(options);
	const method = nodeType.methods?.loadOptions?.[options.method];
	if (!method) throw new Error(`${options.type} has no loadOptions method "${options.method}"`);
	return await workflow.expression.withIsolate(async () => await method.call(context));
}

async function loadOptionsContext(options: MethodOptions) {
	const types = options.types ?? (await builtTypes());
	const { node, credentials } = buildNode(types, options);
	const nodeType = types.nodeTypes.getByNameAndVersion(node.type, node.typeVersion);
	const workflow = new Workflow({
		nodes: [node],
		connections: {},
		active: false,
		nodeTypes: types.nodeTypes,
		settings: options.timezone ? { timezone: options.timezone } : {},
	});
	const additionalData = {
		...createAdditionalData(new MemoryCredentialsHelper(types.credentialTypes, credentials)),
		currentNodeParameters: node.parameters,
	};
	const path = options.path ?? '';
	return {
		workflow,
		nodeType,
		context: new LoadOptionsContext(workflow, node, additionalData, path),
	};
}

/**
 * Tests a credential as n8n does when it is saved: sends its `test` request through the engine of
 * declarative nodes and judges the answer by the test's rules.
 */
export async function credentialTest(
	credentialType: string,
	data: ICredentialDataDecryptedObject,
	loadedTypes?: LoadedTypes,
): Promise<INodeCredentialTestResult> {
	const types = loadedTypes ?? (await builtTypes());
	const { test } = types.credentialTypes.getByName(credentialType);
	if (!test) throw new Error(`Credential type "${credentialType}" has no test`);

	const { node, credentials } = buildNode(types, {
		type: 'n8n-nodes-base.noOp',
		credentials: { [credentialType]: data },
	});
	const testNodeType = nodeTypeOfTest(
		types.nodeTypes.getByNameAndVersion(node.type, node.typeVersion),
		credentialType,
		test,
	);
	const workflow = new Workflow({
		nodes: [node],
		connections: {},
		active: false,
		nodeTypes: { ...types.nodeTypes, getByNameAndVersion: () => testNodeType },
	});
	const credentialsHelper = new MemoryCredentialsHelper(types.credentialTypes, credentials);
	const additionalData = createAdditionalData(credentialsHelper);
	const context = new ExecuteContext(
		workflow,
		node,
		{ ...additionalData, currentNodeParameters: node.parameters },
		'internal',
		createEmptyRunExecutionData(),
		0,
		[],
		{ main: [[{ json: {} }]] },
		{ node, data: {}, source: null },
		[],
	);
	const decrypted = {
		id: node.credentials?.[credentialType].id ?? '',
		name: credentialType,
		type: credentialType,
		data: await credentialsHelper.withDefaults(additionalData, data, credentialType, 'internal'),
	};
	try {
		const answer = await workflow.expression.withIsolate(
			async () => await new RoutingNode(context, testNodeType, decrypted).runNode(),
		);
		return judgeAnswer(test, answer?.[0]?.[0]?.json ?? {});
	} catch (error) {
		return judgeFailure(test, error as Error);
	}
}

/** A node whose only parameter sends the test request. */
function nodeTypeOfTest(
	noOperation: INodeType,
	credentialType: string,
	test: ICredentialTestRequest,
): INodeType {
	return {
		description: {
			...noOperation.description,
			credentials: [{ name: credentialType, required: true }],
			properties: [
				{
					displayName: 'Temp',
					name: 'temp',
					type: 'string',
					routing: { request: test.request },
					default: '',
				},
			],
		},
	};
}

const failed = (message: string): INodeCredentialTestResult => ({ status: 'Error', message });

/** A rule about the body names what a *failure* looks like. */
function judgeAnswer(
	{ rules = [] }: ICredentialTestRequest,
	body: Record<string, unknown>,
): INodeCredentialTestResult {
	for (const { type, properties } of rules) {
		if (type === 'responseSuccessBody' && valueAt(body, properties.key) === properties.value) {
			return failed(properties.message);
		}
	}
	return { status: 'OK', message: 'Connection successful!' };
}

interface FailureCause {
	code?: string;
	response?: { status: number; statusText?: string };
}

function judgeFailure(
	{ rules = [] }: ICredentialTestRequest,
	error: Error,
): INodeCredentialTestResult {
	const { response, code } = (error.cause ?? {}) as FailureCause;
	if (!response) return failed(code ?? error.message);
	for (const { type, properties } of rules) {
		if (type === 'responseCode' && properties.value === response.status) {
			return failed(properties.message);
		}
	}
	return failed(response.statusText || `Received HTTP status code: ${response.status}`);
}

function valueAt(body: Record<string, unknown>, path: string): unknown {
	return path
		.split('.')
		.reduce<unknown>((value, key) => (value as Record<string, unknown> | undefined)?.[key], body);
}
