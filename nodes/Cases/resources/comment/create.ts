import type { INodeProperties } from 'n8n-workflow';

import { InvalidInput } from '../../api/failures/failure';
import { createComment } from '../../api/writes/commentWrites';
import { caseLocatorField, readCaseId } from '../../fields/caseLocator';
import { AUTHOR_EMAIL, readCommentOptions } from '../../fields/caseValues';
import { optionsField } from '../../fields/options';
import { detailOutputField, readDetailOutput, shapeComment } from '../../fields/output';
import { isBlank, parseText } from '../../fields/values';
import { checkItems, type Operation } from '../../n8n/run';
import { writeItems, type Done, type Write } from '../writeItems';

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

export const execute: Operation = async (run) => {
	const { client } = run;
	const added = new Set<string>();
	const checked = checkItems(run, (item): Write => {
		const caseId = readCaseId(run, item, client.tenant.baseUrl);
		const value = parseText(run.parameter('text', item), 'Text');
		if (isBlank(value)) {
			throw new InvalidInput('The comment has no text', 'Enter the text of the comment.');
		}
		const creation = { value, ...readCommentOptions(run, item) };
		const output = readDetailOutput(run, item);
		const carryOut = async (): Promise<Done> => {
			const comment = await createComment(client, caseId, creation, added);
			return { row: shapeComment(comment, output), outcome: 'Written' };
		};
		return { caseId, carryOut };
	});
	return await writeItems(run, checked);
};
