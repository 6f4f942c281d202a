import { parse as parseFlatted } from 'flatted';
import type {
	IConnections,
	IDataObject,
	INode,
	INodeExecutionData,
	INodeTypeDescription,
	IRun,
	IRunExecutionData,
	IWorkflowSettings,
} from 'n8n-workflow';
import { waitFor } from './processes';

/** The owner that {@link N8nApi.setUpOwner} creates. */
export const OWNER = {
	email: 'owner@cases.example',
	firstName: 'Olga',
	lastName: 'Owner',
	password: 'Cases-owner-1',
};

/** A workflow as n8n exports it. */
export interface WorkflowDefinition {
	name: string;
	nodes: INode[];
	connections: IConnections;
	settings?: IWorkflowSettings;
}

/** A finished execution with its data unpacked. */
export interface Execution {
	id: string;
	status: string;
	data: IRunExecutionData;
}

const UNFINISHED = ['new', 'running', 'waiting', 'unknown'];

/** n8n's internal REST API (`/rest`), as its editor uses it, with one login. */
export class N8nApi {
	private cookie = '';

	constructor(readonly url: string) {}

	/** @throws Error with n8n's own message if the answer isn't 2xx */
	async request<T>(method: string, path: string, body?: unknown): Promise<T> {
		const response = await fetch(`${this.url}${path}`, {
			method,
			headers: {
				'content-type': 'application/json',
				'browser-id': 'cases-e2e',
				// On a busy machine a connection that is kept may be closed by n8n just as it is used again.
				connection: 'close',
				...(this.cookie && { cookie: this.cookie }),
			},
			...(body !== undefined && { body: JSON.stringify(body) }),
		});
		const text = await response.text();
		if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
		const login = response.headers.getSetCookie().find((cookie) => cookie.startsWith('n8n-auth='));
		if (login !== undefined) this.cookie = login.split(';')[0];
		return text === '' ? (undefined as T) : (JSON.parse(text) as T);
	}

	/** Like {@link request}, for the answers that n8n wraps in `{ data }`. */
	async rest<T>(method: string, path: string, body?: unknown): Promise<T> {
		return (await this.request<{ data: T }>(method, `/rest${path}`, body)).data;
	}

	/** Creates the first user of an empty n8n and stays logged in as this user. */
	async setUpOwner(): Promise<void> {
		await this.rest('POST', '/owner/setup', OWNER);
	}

	/** Logs in as a user that already exists, by default the owner. */
	async logIn({
		email,
		password,
	}: Pick<typeof OWNER, 'email' | 'password'> = OWNER): Promise<void> {
		await this.rest('POST', '/login', { emailOrLdapLoginId: email, password });
	}

	/** Creates the owner if this n8n has none, otherwise logs in as the owner. */
	async setUpOrLogIn(): Promise<void> {
		const { userManagement } = await this.rest<{
			userManagement: { showSetupOnFirstLoad?: boolean };
		}>('GET', '/settings');
		if (userManagement.showSetupOnFirstLoad) await this.setUpOwner();
		else await this.logIn();
	}

	async nodeTypes(): Promise<INodeTypeDescription[]> {
		return await this.request('GET', '/types/nodes.json');
	}

	async createCredential(name: string, type: string, data: IDataObject): Promise<{ id: string }> {
		return await this.rest('POST', '/credentials', { name, type, data });
	}

	/**
	 * Tests a credential as Save and Retry in its window do.
	 * @param id of a stored credential, needed if `data` has its key blanked out, as n8n returns it
	 */
	async testCredential(type: string, data: IDataObject, id = '') {
		const credentials = { id, name: 'Tested', type, data };
		return await this.rest<{ status: 'OK' | 'Error'; message: string }>(
			'POST',
			'/credentials/test',
			{ credentials },
		);
	}

	async createWorkflow(workflow: WorkflowDefinition): Promise<{ id: string; versionId: string }> {
		const { name, nodes, connections, settings = {} } = workflow;
		return await this.rest('POST', '/workflows', {
			name,
			nodes,
			connections,
			settings,
			active: false,
		});
	}

	/** Publishes a workflow and waits until its triggers run. @throws n8n's reason when they can't */
	async publish(workflow: { id: string; versionId: string }): Promise<void> {
		const { id, versionId } = workflow;
		await this.rest('POST', `/workflows/${id}/activate`, { versionId });
		await waitFor(`workflow ${id} to be published`, async () => {
			const state = await this.rest<{ status: string; triggers?: unknown }>(
				'GET',
				`/workflows/${id}/publication-status`,
			);
			if (state.status === 'failed') throw new Error(JSON.stringify(state.triggers));
			return state.status === 'published' ? true : undefined;
		});
	}

	/** Publishes a workflow in n8n 1. */
	async activate({ id, versionId }: { id: string; versionId: string }): Promise<void> {
		await this.rest('PATCH', `/workflows/${id}`, { active: true, versionId });
	}

	/** Changes a stored workflow; its published version stays unchanged. */
	async saveWorkflow(
		workflow: { id: string; versionId: string },
		changed: WorkflowDefinition,
	): Promise<{ id: string; versionId: string }> {
		const { id, versionId } = workflow;
		return await this.rest('PATCH', `/workflows/${id}`, { ...changed, versionId });
	}

	async unpublish(workflowId: string): Promise<void> {
		await this.rest('POST', `/workflows/${workflowId}/deactivate`);
	}

	/** Starts a workflow at a trigger, as the editor does. @returns the id of the execution */
	async startManually(workflowId: string, trigger: string): Promise<string> {
		const body = { triggerToStartFrom: { name: trigger } };
		const { executionId } = await this.rest<{ executionId: string }>(
			'POST',
			`/workflows/${workflowId}/run`,
			body,
		);
		return executionId;
	}

	/** Starts a workflow as the editor does and waits for its end. */
	async runManually(workflowId: string, trigger: string): Promise<Execution> {
		return await this.finishedExecution(await this.startManually(workflowId, trigger));
	}

	async stopExecution(id: string): Promise<void> {
		await this.rest('POST', `/executions/${id}/stop`);
	}

	async finishedExecution(id: string): Promise<Execution> {
		return await waitFor(`execution ${id} to end`, async () => {
			const { status, data } = await this.rest<{ status: string; data: string }>(
				'GET',
				`/executions/${id}`,
			);
			if (UNFINISHED.includes(status)) return undefined;
			const run = parseFlatted(data) as IRunExecutionData;
			// n8n stores the status first: until the data follows, nodes are still to run in it.
			const nodesToRun = run.executionData?.nodeExecutionStack ?? [];
			const isOld = status === 'success' && nodesToRun.length > 0;
			return isOld ? undefined : { id, status, data: run };
		});
	}

	/** All executions of a workflow, newest first. Since 2.41 n8n returns them in pages. */
	async executions(workflowId: string, status?: string[]) {
		const filter = encodeURIComponent(JSON.stringify({ workflowId, ...(status && { status }) }));
		const results: ExecutionsPage['results'] = [];
		for (let position = ''; ; ) {
			const page = await this.rest<ExecutionsPage>(
				'GET',
				`/executions?limit=${EXECUTIONS_PER_PAGE}&filter=${filter}${position}`,
			);
			results.push(...page.results);
			if (page.results.length < EXECUTIONS_PER_PAGE) return { count: page.count, results };
			if (!page.nextCursor) {
				throw new Error(
					`Workflow ${workflowId} has more executions than this n8n returns in one page`,
				);
			}
			position = `&cursor=${page.nextCursor}`;
		}
	}
}

/** The largest page that n8n returns. */
const EXECUTIONS_PER_PAGE = 100;

interface ExecutionsPage {
	count: number;
	results: Array<{ id: string; status: string; startedAt: string }>;
	/** Where the next page begins; n8n before 2.41 has none. */
	nextCursor?: string | null;
}

/** The items of a node's output, from all its runs. @param output 0, or 1 for the second output */
export function outputOf(
	run: Pick<Execution, 'data'> | IRun,
	node: string,
	output = 0,
): INodeExecutionData[] {
	const runs = run.data.resultData.runData[node] ?? [];
	return runs.flatMap((taskData) => taskData.data?.main[output] ?? []);
}

/** The indices of the input items that these items come from. */
export function pairedItemsOf(items: INodeExecutionData[]): number[] {
	return items
		.flatMap(({ pairedItem }) => pairedItem ?? [])
		.map((paired) => (typeof paired === 'number' ? paired : paired.item));
}
