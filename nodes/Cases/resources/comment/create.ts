import type { INodeProperties } from 'n8n-workflow';

import { InvalidInput } from '../../api/failure';
import { inTurn } from '../../api/actions/turns';
import { createComment } from '../../api/writes/commentWrites';
import { caseLocatorField, readCaseId } from '../../fields/caseLocator';
import { AUTHOR_EMAIL, readAuthorEmail } from '../../fields/caseValues';
import { optionsField } from '../../fields/options';
import { detailOutputField, readDetailOutput, shapeComment } from '../../fields/output';
import { isBlank, parseText } from '../../fields/values';
import { checkItems, type Operation, type Run } from '../../n8n/run';
import { listed, writeItems } from '../writeItems';

const show = { resource: ['comment'], operation: ['create'] };

export const fields: INodeProperties[] = [
	caseLocatorField(show, 'The case to comment on'),
	{
		displayName: 'Text',
		name: 'text',
		type: 'string',
		typeOptions: { rows: 4 },
		default: '',
		required: true,
		displayOptions: { show },
		description: 'Text of the comment, in Markdown. Everybody who sees the case can read it.',
	},
	detailOutputField(show, 'comment'),
	optionsField(show, AUTHOR_EMAIL),
];

function readText({ parameter }: Run, item: number): string {
	const value = parseText(parameter('text', item), 'Text');
	if (!isBlank(value)) return value;
	throw new InvalidInput('The comment has no text', 'Enter the text of the comment.');
}

export const execute: Operation = async (run) => {
	const { baseUrl } = run.client.tenant;
	const added = new Set<string>();
	const checked = checkItems(run, (item) => {
		const caseId = readCaseId(run, item, baseUrl);
		const creation = { value: readText(run, item), ...readAuthorEmail(run, item) };
		const output = readDetailOutput(run, item);
		const task = async () => await createComment(run.client, caseId, creation, added);
		return async () => [shapeComment(await inTurn(run.client, caseId, task), output)];
	});
	return await writeItems(run, checked, (items) => listed('item', items.map(String)));
};
