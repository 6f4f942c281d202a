import { shortenLabel } from '../../api/actions/labels';
import { urlOf } from '../../api/actions/sameAction';
import { actionPath, readActions } from '../../api/actions/singleActions';
import { InvalidInput, quote } from '../../api/failures/failure';
import { deleteOrFail, type Client } from '../../api/http/client';
import { tidyUrl } from '../../api/http/url';
import { numericId } from '../../api/identity';
import type { CaseAction } from '../../api/types';
import { afterWrites } from '../../api/writes/caseWrites';
import { caseField } from '../../fields/caseLocator';
import { textForm, type Field, type Parameters } from '../../fields/form';
import { optionsField, PREVIEW_ONLY } from '../../fields/options';
import { isExpression, lackingValue, parseText } from '../../fields/values';
import { writing } from '../define';
import type { Write } from '../writeItems';
import { previewOf } from './preview';

/**
 * Reads a text to match.
 * @throws InvalidInput for an expression without a value, because then the other text alone would decide. A model can't
 * leave out a field of its tool, so it gives an empty text.
 */
function readText(from: Parameters, item: number, name: string, label: string): string {
	const text = parseText(from.parameter(name, item, ''), label).trim();
	if (text !== '' || from.isTool || !isExpression(from.stored(name))) return text;
	throw lackingValue(`'${label}'`, 'To match only the other field, leave this one empty.');
}

/** Which actions to delete. An empty text matches all. */
type Match = { label: string; url: string };

/** The fields Label and URL. At least one of them has a text. */
const MATCH: Field<Match> = {
	form: [
		textForm(
			'matchLabel',
			'Label',
			'e.g. Contain host',
			'Delete the actions with this label. Enter a label, a URL or both. If you enter both, only actions with this label and this URL are deleted.',
		),
		textForm(
			'matchUrl',
			'URL',
			'e.g. https://example.com/webhook/contain',
			'Delete the actions with this URL',
		),
	],
	read: (from, item) => {
		const label = readText(from, item, 'matchLabel', 'Label');
		const url = readText(from, item, 'matchUrl', 'URL');
		if (label !== '' || url !== '') return { label, url };
		throw new InvalidInput(
			"Neither 'Label' nor 'URL' was given",
			'Enter the label or the URL of the action to delete. To remove all actions, use the operation Clear.',
		);
	},
};

/** Whether an action is meant. A long label also finds the shortened label that Ask and Wait puts on a case. */
function isMeantBy({ label, url }: Match): (action: CaseAction) => boolean {
	const [labels, tidied] = [[label, shortenLabel(label)], tidyUrl(url)];
	return (action) =>
		(url === '' || urlOf(action) === tidied) &&
		(label === '' || labels.includes(String(action.label ?? '').trim()));
}

/** Deletes actions of a case, one after the other. @throws ApiFailure, which says how many were deleted before */
async function deleteActions(client: Client, caseId: string, meant: CaseAction[]): Promise<void> {
	const advice = 'Somebody may have deleted it meanwhile, or the key may not. Check the case.';
	for (const [removed, { id, label }] of meant.entries()) {
		const what = `Action ${quote(label)} of case ${caseId}`;
		const deleting = deleteOrFail(client, actionPath(caseId, id), advice, what);
		await deleting.catch(afterWrites(removed));
	}
}

export const deleteMatching = writing({
	name: 'Delete',
	action: 'Delete case actions',
	description: 'Delete the actions of a case that have a label or a URL',
	fields: {
		caseId: caseField('The case to delete actions from'),
		match: MATCH,
		options: optionsField({ previewOnly: PREVIEW_ONLY }),
	},
	plan:
		({ client, notes }) =>
		({ caseId, match, options: { previewOnly } }) => {
			const isMeant = isMeantBy(match);
			const carryOut: Write['carryOut'] = async () => {
				const case_id = numericId(caseId);
				const before = await readActions(client, caseId);
				const meant = before.filter(isMeant);
				const after = before.filter((action) => !isMeant(action));
				if (meant.length === 0) notes.hint('noMatch', caseId);
				const changed = meant.length > 0;
				if (previewOnly) return previewOf(case_id, before, after, changed);
				await deleteActions(client, caseId, meant);
				const row = { case_id, actions: after, changed, removed: meant.length };
				return { row, outcome: changed ? 'Written' : 'Unchanged' };
			};
			return { caseId, carryOut };
		},
});
