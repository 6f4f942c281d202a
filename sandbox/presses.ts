import type { CaseStore } from './store';
import type { Action, Case, User } from './types';

/** What the service posts to the URL of a webhook button; the action's query_params are further members. */
export interface PressBody {
	user: Pick<User, 'first_name' | 'last_name' | 'email'> & { id: number };
	button: { id: number; label: string; type: Action['action_type']; url: string };
	case: Pick<Case, 'name' | 'status' | 'priority'> & { id: number; url: string };
	message: string;
	[parameter: string]: unknown;
}

/** One press of a button: what was sent, and what the URL answered. */
export interface Press {
	case_id: number;
	label: string;
	/** With the URL's own query and the action's query_params. */
	url: string;
	sent: PressBody;
	pressed_at: string;
	/** Undefined if there was no answer; then `error` says why. */
	status?: number;
	/** The first 10,000 characters of the answer. */
	answer?: string;
	error?: string;
}

export interface PressOptions {
	/** Chooses between buttons with one label. */
	url?: string;
	/** Who presses. Default: the first user. */
	user_id?: number;
	message?: string;
}

const TIMEOUT_MS = 30_000;
const MAX_ANSWER = 10_000;

/** Presses the buttons of cases, and keeps what came of it. */
export class Presses {
	readonly all: Press[] = [];

	constructor(private readonly service: { store: CaseStore; baseUrl: string }) {}

	/**
	 * Presses a webhook button: posts to its URL and waits for the answer, at most 30 seconds.
	 *
	 * @throws Error if the case has no such button, or more than one, or if the button opens a page
	 */
	async press(
		caseId: number,
		label: string,
		{ url, user_id = 1, message = '' }: PressOptions = {},
	): Promise<Press> {
		const { store, baseUrl } = this.service;
		const found = store.getCase(caseId);
		const action = onlyButton(found, label, url);
		const { first_name, last_name, email } = store.user(user_id);
		const { case_id, name, status, priority } = found;
		const press: Press = {
			case_id,
			label,
			url: urlWithParams(action),
			sent: {
				...action.query_params,
				user: { id: user_id, first_name, last_name, email },
				button: { id: action.id, label, type: action.action_type, url: action.url },
				case: { id: case_id, name, status, priority, url: `${baseUrl}/cases/${case_id}` },
				message,
			},
			pressed_at: store.timestamp(store.now()),
		};
		this.all.push(press);
		return Object.assign(press, await post(press.url, press.sent));
	}
}

function onlyButton(found: Case, label: string, url?: string): Action {
	const buttons = found
		.actions()
		.filter((one) => one.label === label && (url === undefined || one.url === url));
	const [button] = buttons;
	const where = `Case ${found.case_id} has`;
	if (!button) throw new Error(`${where} no button '${label}'`);
	if (buttons.length > 1)
		throw new Error(`${where} ${buttons.length} buttons '${label}': give a url`);
	if (button.action_type === 'page') throw new Error(`'${label}' opens a page: ${button.url}`);
	return button;
}

function urlWithParams({ url, query_params = {} }: Action): string {
	const params = new URLSearchParams(query_params).toString();
	if (params === '') return url;
	const [address, fragment] = url.split('#', 2);
	const joined = `${address}${address.includes('?') ? '&' : '?'}${params}`;
	return fragment === undefined ? joined : `${joined}#${fragment}`;
}

async function post(
	url: string,
	body: PressBody,
): Promise<Pick<Press, 'status' | 'answer' | 'error'>> {
	try {
		const response = await fetch(url, {
			method: 'POST',
			redirect: 'manual',
			headers: { 'content-type': 'application/json' },
			body: JSON.stringify(body),
			signal: AbortSignal.timeout(TIMEOUT_MS),
		});
		return { status: response.status, answer: (await response.text()).slice(0, MAX_ANSWER) };
	} catch (error) {
		const { cause, message } = error as Error & { cause?: Error };
		return { error: cause?.message ?? message };
	}
}
