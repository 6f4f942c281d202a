import type { CaseRow, FullCase, SandboxSummary } from './controlRoutes';
import type { Deviations } from './deviations';
import type { FaultRule } from './faults';
import type { Press, PressOptions } from './presses';
import type { RecordedRequest, SandboxStats } from './recorder';
import type { ActivityInput, CaseInput, CommentInput } from './store';
import type { ActionInput, ActivityType } from './types';

/** A fault rule that can be sent to another process: a change is given by name, not as a callback. */
export type RemoteFaultRule = Omit<FaultRule, 'fault'> & {
	fault: Exclude<FaultRule['fault'], { run: unknown }>;
};

/** A sandbox in another process. Timestamps are ISO texts; the methods are those of CaseStore. */
export interface SandboxControl {
	summary(): Promise<SandboxSummary>;
	stats(): Promise<SandboxStats>;
	requests(): Promise<RecordedRequest[]>;
	clearRequests(): Promise<void>;
	addFaults(...rules: RemoteFaultRule[]): Promise<void>;
	clearFaults(): Promise<void>;
	/** Sets groups of deviations; without an argument all of them end. */
	deviate(deviations?: Deviations): Promise<void>;
	cases(): Promise<CaseRow[]>;
	getCase(caseId: number): Promise<FullCase>;
	createCase(input?: CaseInput): Promise<FullCase>;
	updateCase(caseId: number, patch: CaseInput): Promise<FullCase>;
	closeCase(caseId: number): Promise<FullCase>;
	reopenCase(caseId: number): Promise<FullCase>;
	deleteCase(caseId: number): Promise<void>;
	addComment(caseId: number, value: string, input?: CommentInput): Promise<FullCase>;
	addActivity(caseId: number, type: ActivityType, input?: ActivityInput): Promise<FullCase>;
	press(caseId: number, label: string, options?: PressOptions): Promise<Press>;
	presses(): Promise<Press[]>;
	replaceActions(caseId: number, actions: ActionInput[]): Promise<FullCase>;
}

/**
 * A client for the control API of a sandbox.
 *
 * @param controlUrl `Sandbox.controlUrl`, e.g. `http://127.0.0.1:8090/__sandbox`
 * @throws Error with the sandbox's answer when it refuses a call
 */
export function connectControl(controlUrl: string): SandboxControl {
	const call = async <T>(method: string, path: string, body?: unknown): Promise<T> => {
		const response = await fetch(controlUrl + path, {
			method,
			...(body !== undefined && {
				body: JSON.stringify(body),
				headers: { 'content-type': 'application/json' },
			}),
		});
		const text = await response.text();
		if (!response.ok) throw new Error(`The sandbox refused ${method} ${path}: ${text}`);
		return JSON.parse(text) as T;
	};
	return {
		summary: () => call('GET', '/summary'),
		stats: () => call('GET', '/stats'),
		requests: () => call('GET', '/requests'),
		clearRequests: () => call('DELETE', '/requests'),
		addFaults: (...rules) => call('POST', '/faults', rules),
		clearFaults: () => call('DELETE', '/faults'),
		deviate: (deviations) =>
			deviations ? call('POST', '/deviations', deviations) : call('DELETE', '/deviations'),
		cases: () => call('GET', '/cases'),
		getCase: (id) => call('GET', `/cases/${id}`),
		createCase: (input = {}) => call('POST', '/cases', input),
		updateCase: (id, patch) => call('PATCH', `/cases/${id}`, patch),
		closeCase: (id) => call('POST', `/cases/${id}/close`),
		reopenCase: (id) => call('POST', `/cases/${id}/reopen`),
		deleteCase: (id) => call('DELETE', `/cases/${id}`),
		addComment: (id, value, input) => call('POST', `/cases/${id}/comments`, { value, ...input }),
		addActivity: (id, activity_type, input) =>
			call('POST', `/cases/${id}/activities`, { activity_type, ...input }),
		press: (id, label, options) => call('POST', `/cases/${id}/press`, { label, ...options }),
		presses: () => call('GET', '/presses'),
		replaceActions: (id, actions) => call('PUT', `/cases/${id}/actions`, actions),
	};
}
