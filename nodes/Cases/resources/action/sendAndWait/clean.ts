import { planDelete } from '../../../api/actionPlans';
import type { Client } from '../../../api/client';
import { editActions } from '../../../api/editActions';
import { isButtonOf, type Question } from './question';

/** Takes the buttons of a question off its case and keeps all other actions. @returns whether they are off */
export async function removeButtons(client: Client, question: Question): Promise<boolean> {
	const { caseId } = question;
	const isButton = isButtonOf.bind(undefined, question);
	const { isDone } = await editActions(
		client,
		question,
		(existing) => planDelete(caseId, existing, isButton),
		(existing) => !existing.some(isButton),
	);
	return isDone;
}
