import { actionsOfCase } from './caseActions';
import { readCasesById } from './cases';
import type { Client } from './client';
import { isObject } from './actions';
import { isTooOld, type Basis, type Draft } from './drafts';
import { ApiFailure, shorten } from './failure';
import { tidyUrl } from './url';
import { replaceActionsRequest } from './requests';
import type { Renewal } from './sender';
import type { ActionInput, Row } from './types';

/** Fields that the answer to a write carries and lists don't. */
const ONLY_IN_ANSWERS = ['action_text', 'story_name', 'story_emoji', 'created_at', 'updated_at'];

/** An action of an answer, as a list would show it: written and skipped cases then have the same fields. */
function asListed(action: unknown): unknown {
	if (!isObject(action)) return action;
	const entries = Object.entries(action).filter(([name]) => !ONLY_IN_ANSWERS.includes(name));
	return Object.fromEntries(entries);
}

/** What a case has after a write. */
export interface Written {
	case_id: unknown;
	/** Null where the service doesn't say it. */
	actions: unknown[] | null;
	/** Why it is uncertain that the case has the actions as written, though the service confirmed the write. */
	doubt?: string;
}

/** Services tidy what they store: letter case of the host, blanks around a label and such don't count. */
function tidied({ url, label }: Row): string {
	return JSON.stringify([tidyUrl(String(url)), String(label).trim()]);
}

/** Whether an action is of another type than was written, or carries another text or none in its place. */
function isAltered({ action_type: type, action_text: text }: Row, written: ActionInput): boolean {
	const isOtherType =
		isText(type) && type.trim().toLowerCase() !== written.action_type.trim().toLowerCase();
	const isTextCarried = isText(text) || text === null;
	const isOtherText = isTextCarried && (text ?? '').trim() !== (written.action_text ?? '').trim();
	// A service may give an action that has no text one of its own.
	return isOtherType || (written.action_text !== undefined && isOtherText);
}

/** Whether actions say what they are, so that they can be compared with those that were written. */
function areNamed(list: unknown[]): list is Row[] {
	return list.every((one) => isObject(one) && isText(one.url) && isText(one.label));
}

/** Whether a list has other actions than were written. Their order may differ. */
function differ(list: Row[], written: ActionInput[]): boolean {
	const sorted = (actions: Row[]) => actions.map(tidied).sort().join();
	const rows = written.map((action) => ({ ...action }));
	if (sorted(list) !== sorted(rows)) return true;
	return list.some(
		(action) => !rows.some((one) => tidied(one) === tidied(action) && !isAltered(action, one)),
	);
}

const isText = (value: unknown): value is string => typeof value === 'string';

/** Reads a case back after a write that the service confirmed without saying what it wrote. */
async function readBack(client: Client, caseId: string, written: ActionInput[]): Promise<Written> {
	const failed = (failure: unknown) => {
		if (failure instanceof ApiFailure) return undefined;
		throw failure;
	};
	const row = await readCasesById(client, [caseId], 1).then((cases) => cases.get(caseId), failed);
	const actions = row && actionsOfCase(row);
	const case_id = row?.case_id ?? caseId;
	if (actions === undefined) {
		return { case_id, actions: null, doubt: "The case's actions could not be read back." };
	}
	const listed = actions.map(asListed);
	if (!areNamed(listed)) {
		return {
			case_id,
			actions: listed,
			doubt: "The service doesn't say which actions the case has.",
		};
	}
	if (differ(listed, written)) {
		return { case_id, actions: null, doubt: 'Read back, the case had other actions.' };
	}
	return { case_id, actions: listed };
}

/** @param note gets each further draft */
function renewalOf(
	{ now }: Client,
	caseId: string,
	{ readAt, again }: Basis,
	note: (draft: Draft) => void,
): Renewal {
	let usableFrom = readAt;
	return {
		isDue: () => isTooOld(usableFrom, now()),
		async renew() {
			const startedAt = now();
			const draft = await again();
			if (draft === undefined) return undefined;
			note(draft);
			// Otherwise what a slow service answers would be too old at once, each time.
			usableFrom = draft.readAt < startedAt ? draft.readAt : now();
			return replaceActionsRequest(caseId, draft.actions);
		},
	};
}

/**
 * Replaces all actions of a case; an empty list removes them.
 * The request describes the whole outcome, so a retry after a lost connection changes nothing.
 * @param basis the read on which the actions rest, if any: right before each try they are drafted again if it is too old
 * @returns `case_id` and the actions as the service now has them, with the fields that lists carry
 * @throws ApiFailure when the service doesn't confirm it; NotNeeded where by another draft nothing has to be written any
 * more, or why that can't be written
 */
export async function replaceActions(
	client: Client,
	caseId: string,
	actions: ActionInput[],
	basis?: Basis,
): Promise<Written> {
	let written = actions;
	const note = (draft: Draft) => (written = draft.actions);
	const renewal = basis && renewalOf(client, caseId, basis, note);
	const answer = await client.send(replaceActionsRequest(caseId, actions), renewal);
	if (answer.body === undefined) return await readBack(client, caseId, written);
	const body = (answer.body ?? {}) as Row;
	const { case_id = caseId } = body;
	const { saidError } = answer;
	const isOther = case_id !== null && String(case_id).trim() !== caseId;
	if (!Array.isArray(body.actions) || isOther) {
		const said = [
			saidError === undefined ? '' : `The service says: ${saidError}. `,
			isOther ? `It answered about case ${shorten(String(case_id), 60)}. ` : '',
		].join('');
		throw answer.unusable({
			message: `The service did not confirm the actions of case ${caseId}`,
			remedy: `${said}They may be written or not. Check the case, or run again, which writes the same actions.`,
		});
	}
	const listed = body.actions.map(asListed);
	const result: Written = { case_id: case_id ?? caseId, actions: listed };
	if (saidError !== undefined) return { ...result, doubt: `It says: ${saidError}.` };
	if (!areNamed(body.actions)) return await readBack(client, caseId, written);
	const isOtherList = differ(body.actions, written);
	return isOtherList ? { ...result, doubt: 'It answered with other actions.' } : result;
}
