// Law of this folder: a question adds its own actions to a case, called buttons, and removes only these, by their IDs.

import { MAX_LABEL_LENGTH, shortenLabel } from '../../../api/actions/labels';
import { readCase } from '../../../api/cases/cases';
import { InvalidInput } from '../../../api/failures/failure';
import { isOutOfReach } from '../../../api/http/url';
import type { ActionInput, Row } from '../../../api/types';
import { caseField } from '../../../fields/caseLocator';
import { settle, valueOf } from '../../../n8n/run';
import { define } from '../../define';
import { putUpButtons } from './buttons';
import { ANSWERS, MESSAGE, OPTIONS, type Question } from './question';

/** @throws InvalidInput for an input with `data`: n8n passes the input on when the time is over, like an answer */
function waitUntil(minutes: number | undefined, startedAt: number, { data }: Row) {
	if (minutes === undefined) return undefined;
	if (data !== undefined && data !== null) {
		throw new InvalidInput(
			"With Limit Wait Time the input can't have a field named data",
			'If nobody answers in time, n8n passes on the input, and the workflow would take its data for the answer. Remove the field before this node, for example with Edit Fields.',
		);
	}
	return new Date(startedAt + minutes * 60_000);
}

export const sendAndWait = define(
	{
		name: 'Ask and Wait',
		action: 'Ask in case and wait',
		description: 'Put a question on a case as buttons, and wait until somebody presses one',
		fields: {
			caseId: caseField('The case to ask in'),
			message: MESSAGE,
			answers: ANSWERS,
			options: OPTIONS,
		},
	},
	async (run, items) => {
		const { client, itemCount, notes, startedAt } = run;
		if (run.isTool) {
			throw new InvalidInput(
				"Ask and Wait can't be a tool of an AI agent, because n8n doesn't give the answer to the agent",
				'To let somebody approve the calls of a tool, add this node as a human review between the agent and the tool.',
			);
		}
		// One click resumes the whole execution, so with several questions the other answers would be lost.
		if (itemCount !== 1) {
			throw new InvalidInput(
				`Ask and Wait asks one question at a time, but there are ${itemCount} input items`,
				"One answer continues the workflow for all items. To ask one question after the other, use Loop Over Items. To ask all at once, put Execute Sub-workflow into the loop, with its option 'Wait For Sub-Workflow Completion' off, and this node with all steps after it into that workflow.",
			);
		}
		const waiting = run.waiting();
		const { caseId, message, answers, options } = valueOf(items[0]);
		const isLong = [...message].length > MAX_LABEL_LENGTH;
		const isPage = (options.buttonType ?? (isLong ? 'page' : 'webhook')) === 'page';
		const buttons = (isPage ? [answers] : answers.map((one) => [one])).map((own) => ({
			key: crypto.randomUUID(),
			answers: own,
		}));
		const actions = buttons.map(
			({ key, answers: [{ text }] }): ActionInput => ({
				url: waiting.signUrl({ key }),
				label: shortenLabel(message),
				action_type: isPage ? 'page' : 'webhook',
				action_text: isPage ? 'Review' : text,
			}),
		);
		const [{ url }] = actions;
		if (isOutOfReach(url, client.tenant.baseUrl)) notes.hint('localHost', new URL(url).host);

		const ask = async () => {
			const until = waitUntil(options.limitWaitTime, startedAt, waiting.input);
			const row: Row = isPage ? await readCase(client, caseId) : {};
			const { name: caseName, url: caseUrl } = row;
			const ids = await putUpButtons(client, caseId, actions);
			const onCase = options.keepButtons ? [] : ids;
			const asked = { caseId, caseName, caseUrl, message, isPage, buttons };
			await waiting.wait({ ...asked, ids: onCase } satisfies Question, until);
			return [waiting.input];
		};
		return [await settle(run, [0], ask)];
	},
);
