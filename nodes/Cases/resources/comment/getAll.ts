import type { INodeProperties } from 'n8n-workflow';

import { readComments } from '../../api/comments';
import { caseField, limitFields } from '../../fields/descriptions';
import { noteRead } from '../../n8n/hints';
import { optionsField, parsePageSize } from '../../fields/options';
import { caseIdOf, limitOf } from '../../fields/parameters';
import { checkItems, forEachItem, valueOf, type Operation } from '../../n8n/run';

const show = { resource: ['comment'], operation: ['getAll'] };

export const fields: INodeProperties[] = [
	caseField(show, 'The case whose comments to get'),
	...limitFields(show),
	optionsField(show, { pages: true }),
];

export const execute: Operation = async (run) => {
	const ids = checkItems(run, (item) => caseIdOf(run, item));
	return await forEachItem(run, async (item) => {
		const caseId = valueOf(ids[item]);
		const limit = limitOf(run, item);
		const pageSize = parsePageSize(run.parameter('options', item, {}));
		return await run.readOnce({ caseId, limit, pageSize }, async () => {
			const { rows, observed } = await readComments(run.client, caseId, { limit, pageSize });
			noteRead(run.notes, rows.length, observed);
			return rows;
		});
	});
};
