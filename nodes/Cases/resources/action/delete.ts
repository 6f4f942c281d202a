import type { INodeProperties } from 'n8n-workflow';

import { shortenLabel } from '../../api/actions/labels';
import { urlOf } from '../../api/actions/sameAction';
import { actionPath, afterWrites, readActions } from '../../api/actions/singleActions';
import { InvalidInput, quote } from '../../api/failures/failure';
import { deleteOrFail, type Client } from '../../api/http/client';
import { tidyUrl } from '../../api/http/url';
import { caseIdOf } from '../../api/identity';
import type { CaseAction } from '../../api/types';
import { caseLocatorField, readCaseId } from '../../fields/caseLocator';
import { optionsField, readSwitch, switchOption } from '../../fields/options';
import { isExpression, lackingValue, parseText } from '../../fields/values';
import { checkItems, type Operation, type Run } from '../../n8n/run';
import { writeItems, type Done, type Write } from '../writeItems';

const show = { resource: ['action'], operation: ['delete'] };

export const fields: INodeProperties[] = [
	caseLocatorField(show, 'The case to delete actions from'),
	{
		displayName: 'Label',
		name: 'matchLabel',
		type: 'string',
		default: '',
		placeholder: 'e.g. Contain host',
		displayOptions: { show },
		description:
			'Delete the actions with this label. Enter a label, a URL or both. If you enter both, only actions with this label and this URL are deleted.',
	},
	{
		displayName: 'URL',
		name: 'matchUrl',
		type: 'string',
		default: '',
		placeholder: 'e.g. https://example.com/webhook/contain',
		displayOptions: { show },
		description: 'Delete the actions with this URL',
	},
	optionsField(show, switchOption('previewOnly')),
];

/**
 * Reads a text to match.
 * @throws InvalidInput for an expression without a value, because then the other text alone would decide. A model can't
 * leave out a field of its tool, so it gives an empty text.
 */
function readText(run: Run, item: number, name: string, label: string): string {
	const text = parseText(run.parameter(name, item, ''), label).trim();
	if (text !== '' || run.isTool || !isExpression(run.stored(name))) return text;
	throw lackingValue(`'${label}'`, 'To match only the other field, leave this one empty.');
}

/**
 * Reads which actions to delete. A long label also finds the shortened label that Ask and Wait puts on a case.
 * @throws InvalidInput where both fields are empty
 */
function readMatch(run: Run, item: number): (action: CaseAction) => boolean {
	const label = readText(run, item, 'matchLabel', 'Label');
	const url = readText(run, item, 'matchUrl', 'URL');
	if (label === '' && url === '') {
		throw new InvalidInput(
			"Neither 'Label' nor 'URL' was given",
			'Enter the label or the URL of the action to delete. To remove all actions, use the operation Clear.',
		);
	}
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
		await deleteOrFail(client, actionPath(caseId, id), what, advice).catch((failure: unknown) => {
			throw afterWrites(failure, removed);
		});
	}
}

export const execute: Operation = async (run) => {
	const { client, notes } = run;
	const checked = checkItems(run, (item): Write => {
		const caseId = readCaseId(run, item, client.tenant.baseUrl);
		const isMeant = readMatch(run, item);
		const previewOnly = readSwitch(run, item, 'previewOnly');
		const carryOut = async (): Promise<Done> => {
			const case_id = caseIdOf(caseId);
			const before = await readActions(client, caseId);
			const meant = before.filter(isMeant);
			const after = before.filter((action) => !isMeant(action));
			if (meant.length === 0) notes.hint('noMatch', caseId);
			const changed = meant.length > 0;
			if (previewOnly) return { row: { case_id, before, after, changed }, outcome: 'Preview' };
			await deleteActions(client, caseId, meant);
			const row = { case_id, actions: after, changed, removed: meant.length };
			return { row, outcome: changed ? 'Written' : 'Unchanged' };
		};
		return { caseId, carryOut };
	});
	return await writeItems(run, checked);
};
