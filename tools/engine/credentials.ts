import './environment';
import { Credentials, getAdditionalKeys } from 'n8n-core';
import { ICredentialsHelper, NodeHelpers, Workflow, isExpression } from 'n8n-workflow';
import type {
	ICredentialDataDecryptedObject,
	ICredentialType,
	ICredentialTypes,
	ICredentialsExpressionResolveValues,
	IExecuteData,
	IHttpRequestHelper,
	IHttpRequestOptions,
	INode,
	INodeCredentialsDetails,
	INodeProperties,
	INodeType,
	IWorkflowExecuteAdditionalData,
	WorkflowExecuteMode,
} from 'n8n-workflow';

/** A credential as it is stored in n8n, not encrypted. */
export interface StoredCredential {
	type: string;
	data: ICredentialDataDecryptedObject;
}

/** The stored credentials of one n8n, by the id or the name that nodes refer to them with. */
export type CredentialStore = Record<string, StoredCredential>;

/** An empty workflow, for expressions outside of workflows, as in credential fields. */
const expressionNode: INode = {
	id: 'expression',
	name: 'Expression',
	type: 'expression',
	typeVersion: 1,
	position: [0, 0],
	parameters: {},
};
const emptyNodeType = { description: { properties: [] as INodeProperties[] } } as INodeType;

function expressionWorkflow() {
	return new Workflow({
		nodes: [expressionNode],
		connections: {},
		active: false,
		nodeTypes: {
			getByName: () => emptyNodeType,
			getByNameAndVersion: () => emptyNodeType,
			getKnownTypes: () => ({}),
		},
	});
}

/**
 * What n8n's server does with credentials (its CredentialsHelper), over credentials in memory
 * instead of a database: defaults and expressions of fields, generic authentication with
 * expressions in names and values, pre-authentication.
 */
export class MemoryCredentialsHelper extends ICredentialsHelper {
	/** How often a node requested a credential; each time costs n8n a read of its database. */
	reads = 0;

	constructor(
		private readonly credentialTypes: ICredentialTypes,
		private readonly store: CredentialStore,
	) {
		super();
	}

	getParentTypes(name: string) {
		return this.credentialTypes.getParentTypes(name);
	}

	isCredentialUsableByNode(credentialType: string, nodeType: string) {
		if (!this.credentialTypes.recognizes(credentialType)) return true;
		const { restrictToSupportedNodes } = this.credentialTypes.getByName(credentialType);
		const supported = this.credentialTypes.getSupportedNodes(credentialType);
		return !restrictToSupportedNodes || supported.includes(nodeType);
	}

	getCredentialsProperties(type: string): INodeProperties[] {
		const { extends: parents = [], properties } = this.credentialTypes.getByName(type);
		const merged: INodeProperties[] = [];
		for (const parent of parents) {
			NodeHelpers.mergeNodeProperties(merged, this.getCredentialsProperties(parent));
		}
		NodeHelpers.mergeNodeProperties(merged, properties);
		return merged;
	}

	async authenticate(
		credentials: ICredentialDataDecryptedObject,
		typeName: string,
		requestOptions: IHttpRequestOptions,
		workflow?: Workflow,
		node?: INode,
	): Promise<IHttpRequestOptions> {
		const { authenticate } = this.credentialTypes.getByName(typeName);
		if (typeof authenticate === 'function') return authenticate(credentials, requestOptions);
		if (!authenticate) return requestOptions;
		if (!workflow || !node) throw new Error('Generic authentication needs a workflow and a node');

		const resolveText = (text: string): string => {
			if (!isExpression(text)) return text;
			const keys = { $credentials: credentials };
			const value = workflow.expression.getSimpleParameterValue(node, text, 'internal', keys);
			return value ? value.toString() : '';
		};
		requestOptions.headers ??= {};
		const target = requestOptions as unknown as Record<string, Record<string, string>>;
		for (const [part, entries] of Object.entries(authenticate.properties)) {
			for (const [name, value] of Object.entries(entries as Record<string, string>)) {
				target[part] ??= {};
				target[part][resolveText(name)] = resolveText(value);
			}
		}
		return requestOptions;
	}

	async preAuthentication(
		helpers: IHttpRequestHelper,
		credentials: ICredentialDataDecryptedObject,
		typeName: string,
		node: INode,
		credentialsExpired: boolean,
	): Promise<ICredentialDataDecryptedObject | undefined> {
		const type = this.credentialTypes.getByName(typeName);
		const expirable = expirableProperty(type);
		if (!expirable || !(credentials[expirable] === '' || credentialsExpired)) return undefined;
		const renewed = await this.runPreAuthentication(helpers, credentials, typeName);
		const reference = node.credentials?.[typeName];
		if (renewed?.[expirable] === undefined || !reference) return undefined;
		await this.updateCredentials(reference, typeName, renewed);
		return Object.assign(credentials, renewed);
	}

	async runPreAuthentication(
		helpers: IHttpRequestHelper,
		credentials: ICredentialDataDecryptedObject,
		typeName: string,
	): Promise<ICredentialDataDecryptedObject | undefined> {
		const { preAuthentication } = this.credentialTypes.getByName(typeName);
		const renewed = await preAuthentication?.call(helpers, credentials);
		return renewed as ICredentialDataDecryptedObject | undefined;
	}

	async getCredentials({ id, name }: INodeCredentialsDetails, type: string) {
		const credentials = new Credentials({ id, name }, type);
		await credentials.setData(this.find({ id, name }, type).data);
		return credentials;
	}

	async getDecrypted(
		additionalData: IWorkflowExecuteAdditionalData,
		reference: INodeCredentialsDetails,
		type: string,
		mode: WorkflowExecuteMode,
		executeData?: IExecuteData,
		raw?: boolean,
		expressionResolveValues?: ICredentialsExpressionResolveValues,
	): Promise<ICredentialDataDecryptedObject> {
		this.reads += 1;
		const { data } = this.find(reference, type);
		if (raw) return structuredClone(data);
		return await this.withDefaults(
			additionalData,
			data,
			type,
			mode,
			executeData,
			expressionResolveValues,
		);
	}

	/**
	 * The fields that the credential type declares and shows, defaults filled in and expressions
	 * evaluated. Fields that it doesn't declare are dropped, as n8n drops them.
	 */
	async withDefaults(
		additionalData: IWorkflowExecuteAdditionalData,
		data: ICredentialDataDecryptedObject,
		type: string,
		mode: WorkflowExecuteMode,
		executeData?: IExecuteData,
		run?: ICredentialsExpressionResolveValues,
	): Promise<ICredentialDataDecryptedObject> {
		const fields = NodeHelpers.getNodeParameters(
			this.getCredentialsProperties(type),
			structuredClone(data) as never,
			true,
			false,
			null,
			null,
		) as ICredentialDataDecryptedObject;
		// n8n offers these two on every credential with generic authentication, declared or not.
		for (const restriction of ['allowedHttpRequestDomains', 'allowedDomains']) {
			if (data[restriction] !== undefined) fields[restriction] ??= data[restriction];
		}
		const keys = getAdditionalKeys(additionalData, mode, null, { isCredential: true });
		if (run) {
			return run.workflow.expression.getParameterValue(
				fields as never,
				run.runExecutionData,
				run.runIndex,
				run.itemIndex,
				run.node.name,
				run.connectionInputData,
				mode,
				keys,
				executeData,
				false,
				fields as never,
			) as ICredentialDataDecryptedObject;
		}
		const { expression } = expressionWorkflow();
		return expression.getComplexParameterValue(
			expressionNode,
			fields as never,
			mode,
			keys,
			undefined,
			undefined,
			fields as never,
		) as ICredentialDataDecryptedObject;
	}

	async updateCredentials(
		reference: INodeCredentialsDetails,
		type: string,
		data: ICredentialDataDecryptedObject,
	) {
		Object.assign(this.find(reference, type).data, data);
	}

	async updateCredentialsOauthTokenData(
		reference: INodeCredentialsDetails,
		type: string,
		{ oauthTokenData }: ICredentialDataDecryptedObject,
	) {
		await this.updateCredentials(reference, type, { oauthTokenData });
	}

	private find({ id, name }: INodeCredentialsDetails, type: string): StoredCredential {
		const stored = (id ? this.store[id] : undefined) ?? this.store[name];
		if (stored?.type !== type) {
			throw new Error(`Credential with ID "${id}" does not exist for type "${type}".`);
		}
		return stored;
	}
}

function expirableProperty({ properties }: ICredentialType): string | undefined {
	const isExpirable = ({ type, typeOptions }: INodeProperties) =>
		type === 'hidden' && typeOptions?.expirable === true;
	return properties.find(isExpirable)?.name;
}
