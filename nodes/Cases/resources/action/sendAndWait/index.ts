import { InvalidInput } from '../../../api/failures/failure';
import { LOCAL_HOST } from '../../../api/http/tenant';
import { checkItems, settle, valueOf, type Operation, type Run } from '../../../n8n/run';
import { caseIdsOfItems } from '../../casesOfItems';
import { putUpButtons } from './buttons';
import { actionsOf, type Question } from './question';
import { readQuestion } from './readQuestion';

export { fields } from './form';

/** One click resumes the whole execution, so the answers to further questions would be lost. */
function refuseSeveral({ itemCount }: Run): void {
	if (itemCount === 1) return;
	throw new InvalidInput(
		`Ask and Wait asks one question at a time, but there are ${itemCount} input items`,
		"One answer continues the workflow for all items. To ask one question after the other, use Loop Over Items. To ask all at once, call a workflow with Execute Sub-workflow once for each item, turn off its option 'Wait For Sub-Workflow Completion', and put the steps after the answer into that workflow.",
	);
}

export const execute: Operation = async (run) => {
	const waiting = run.waiting();
	if (waiting.isPlainTool) {
		throw new InvalidInput(
			"Ask and Wait can't be a tool of an AI agent, because n8n doesn't give the answer to the agent",
			'To let somebody approve the calls of a tool, add this node as a human review between the agent and the tool.',
		);
	}
	refuseSeveral(run);
	const asked = valueOf(checkItems(run, (item) => readQuestion(run, item, waiting.input))[0]);
	const caseId = valueOf(caseIdsOfItems(run)[0]);
	const keys = (asked.isPage ? [0] : asked.answers).map(() => crypto.randomUUID());
	const question: Question = { ...asked, caseId, keys, ids: [] };
	const buttons = actionsOf(question, waiting.signUrl);
	const { hostname, host } = new URL(buttons[0].url);
	const isServiceLocal = LOCAL_HOST.test(new URL(run.client.tenant.baseUrl).hostname);
	if (LOCAL_HOST.test(hostname) && !isServiceLocal) run.notes.hint('localHost', host);

	const ask = async () => {
		const ids = await putUpButtons(run.client, caseId, buttons);
		await waiting.wait({ ...question, ids }, asked.waitUntil);
		return [waiting.input];
	};
	return [await settle(run, [0], ask)];
};
