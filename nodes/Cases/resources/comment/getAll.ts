import type { INodeProperties } from 'n8n-workflow';

import { readComments } from '../../api/comments';
import { ACCEPT_INCOMPLETE, readAcceptIncomplete } from '../../fields/acceptIncomplete';
import { caseLocatorField } from '../../fields/caseLocator';
import { limitFields, readLimit } from '../../fields/limit';
import { numberOption, optionsField, readNumberOption } from '../../fields/options';
import { detailOutputField, readDetailOutput, shapeComment } from '../../fields/output';
import { noteReadOfCase } from '../../n8n/hints';
import { forEachItem, valueOf, type Operation } from '../../n8n/run';
import { caseIdsOfItems } from '../casesOfItems';

const show = { resource: ['comment'], operation: ['getAll'] };

export const fields: INodeProperties[] = [
	caseLocatorField(show, 'The case to get the comments of'),
	...limitFields(show),
	detailOutputField(show, 'comment'),
	optionsField(show, numberOption('pageSize'), ACCEPT_INCOMPLETE),
];

export const execute: Operation = async (run) => {
	const ids = caseIdsOfItems(run);
	return await forEachItem(run, async (item) => {
		const caseId = valueOf(ids[item]);
		const limit = readLimit(run, item);
		const pageSize = readNumberOption(run.parameter('options', item, {}), 'pageSize');
		const output = readDetailOutput(run, item);
		const acceptIncomplete = readAcceptIncomplete(run, item);
		return await run.readOnce({ caseId, limit, pageSize, output, acceptIncomplete }, async () => {
			const { rows, observed } = await readComments(run.client, caseId, {
				limit,
				pageSize,
				acceptIncomplete,
			});
			noteReadOfCase(run.notes, caseId, rows.length, observed);
			return rows.map((row) => shapeComment(row, output));
		});
	});
};
