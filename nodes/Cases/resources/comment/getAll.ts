import type { INodeProperties } from 'n8n-workflow';

import { readComments } from '../../api/cases/listsOfCase';
import { MAX_PAGE_SIZE } from '../../api/types';
import { caseLocatorField } from '../../fields/caseLocator';
import {
	limitFields,
	optionsField,
	readLimit,
	readSwitch,
	switchOption,
} from '../../fields/options';
import { detailOutputField, readDetailOutput, shapeComment } from '../../fields/output';
import { noteObserved } from '../../n8n/hints';
import { forEachItem, valueOf, type Operation } from '../../n8n/run';
import { caseIdsOfItems } from '../casesOfItems';

const show = { resource: ['comment'], operation: ['getAll'] };

export const fields: INodeProperties[] = [
	caseLocatorField(show, 'The case to get the comments of'),
	...limitFields(show),
	detailOutputField(show, 'comment'),
	optionsField(show, switchOption('acceptIncomplete')),
];

export const execute: Operation = async (run) => {
	const ids = caseIdsOfItems(run);
	return await forEachItem(run, async (item) => {
		const caseId = valueOf(ids[item]);
		const limit = readLimit(run, item);
		const output = readDetailOutput(run, item);
		const acceptIncomplete = readSwitch(run, item, 'acceptIncomplete');
		return await run.readShared({ caseId, limit, output, acceptIncomplete }, async () => {
			const { rows, observed } = await readComments(run.client, caseId, {
				limit,
				pageSize: MAX_PAGE_SIZE,
				acceptIncomplete,
			});
			noteObserved(run, 'comments', observed, rows.length);
			return rows.map((row) => shapeComment(row, output));
		});
	});
};
