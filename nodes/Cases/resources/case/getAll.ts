import type { INodeProperties } from 'n8n-workflow';

import { matchesNothing } from '../../api/cases/caseQuery';
import { readCases } from '../../api/cases/cases';
import { filtersField, readFilters } from '../../fields/filters/filters';
import {
	limitFields,
	LOAD_IN_FULL,
	numberOption,
	optionsField,
	orderField,
	readLimit,
	readLoadInFull,
	readNumberOption,
	readOrder,
	readSwitch,
	switchOption,
} from '../../fields/options';
import { outputFields, readOutput } from '../../fields/output';
import { noteEmptyIdList, noteRead } from '../../n8n/hints';
import { forEachItem, type Operation } from '../../n8n/run';
import { addComments, completeCases, createShape } from './shape';

const show = { resource: ['case'], operation: ['getAll'] };

export const fields: INodeProperties[] = [
	...limitFields(show),
	orderField(show),
	filtersField(show),
	...outputFields(show),
	optionsField(
		show,
		numberOption('pageSize'),
		switchOption('acceptIncomplete'),
		switchOption('includeComments'),
		LOAD_IN_FULL,
	),
];

export const execute: Operation = async (run) =>
	await forEachItem(run, async (item) => {
		const query = { ...readFilters(run, item), order: readOrder(run, item) };
		const limit = readLimit(run, item);
		const pageSize = readNumberOption(run.parameter('options', item, {}), 'pageSize');
		const output = readOutput(run, item);
		const details = readLoadInFull(run, item, output);
		const withComments = readSwitch(run, item, 'includeComments');
		const acceptIncomplete = readSwitch(run, item, 'acceptIncomplete');

		const key = { query, limit, pageSize, output, details, withComments, acceptIncomplete };
		return await run.readOnce(key, async () => {
			if (matchesNothing(query)) {
				noteEmptyIdList(run.notes);
				return [];
			}
			const shape = createShape(run.notes, output, details, withComments);
			const isShapedLater = details.length > 0;
			const { rows, observed } = await readCases(run.client, query, {
				limit,
				pageSize,
				acceptIncomplete,
				shape: isShapedLater ? (row) => row : shape,
			});
			noteRead(run.notes, rows.length, observed);
			const shaped = isShapedLater
				? await completeCases(run, rows, { details, acceptIncomplete }, shape)
				: rows;
			return withComments ? await addComments(run, shaped, output, acceptIncomplete) : shaped;
		});
	});
