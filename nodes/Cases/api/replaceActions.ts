import { actionsOfCase } from './caseActions';
import { readCasesById } from './cases';
import type { Client } from './client';
import { replaceActionsRequest } from './requests';
import type { ActionInput, Row } from './types';

/** Fields that the answer to a write carries and lists don't. */
const ONLY_IN_ANSWERS = ['action_text', 'story_name', 'story_emoji', 'created_at', 'updated_at'];

/** An action of an answer, as a list would show it: written and skipped cases then have the same fields. */
function asListed(action: unknown): unknown {
	if (typeof action !== 'object' || action === null) return action;
	const entries = Object.entries(action).filter(([name]) => !ONLY_IN_ANSWERS.includes(name));
	return Object.fromEntries(entries);
}

/** What a case has after a write; `actions` is null where the service doesn't say it. */
export interface Written {
	case_id: unknown;
	actions: unknown[] | null;
}

/** Reads a case back after a write that the service confirmed without saying what it wrote. */
async function readBack(client: Client, caseId: string): Promise<Written> {
	const row = (await readCasesById(client, [caseId], 1)).get(caseId);
	return {
		case_id: row?.case_id ?? caseId,
		actions: (row && actionsOfCase(row))?.map(asListed) ?? null,
	};
}

/**
 * Replaces all actions of a case; an empty list removes them.
 * The request describes the whole outcome, so a retry after a lost connection changes nothing.
 * @returns `case_id` and the actions as the service now has them, with the fields that lists carry
 * @throws ApiFailure when the service doesn't confirm it
 */
export async function replaceActions(
	client: Client,
	caseId: string,
	actions: ActionInput[],
): Promise<Written> {
	const answer = await client.send(replaceActionsRequest(caseId, actions));
	if (answer.body === undefined) return await readBack(client, caseId);
	const body = (answer.body ?? {}) as Row;
	if (!Array.isArray(body.actions)) {
		throw answer.unusable({
			message: `The service did not confirm the actions of case ${caseId}`,
			remedy:
				'They may be written or not. Check the case, or run again, which writes the same actions.',
		});
	}
	return { case_id: body.case_id ?? caseId, actions: body.actions.map(asListed) };
}
