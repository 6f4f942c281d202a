import type { INodeProperties } from 'n8n-workflow';

import { countCases } from '../../api/cases';
import { filtersField, periodsField } from '../../descriptions';
import { noteRead } from '../../hints';
import { optionsField, parsePageSize } from '../../options';
import { filtersOf } from '../../parameters';
import { forEachItem, type Operation } from '../../run';

const show = { resource: ['case'], operation: ['count'] };

export const fields: INodeProperties[] = [
	filtersField(show),
	periodsField(show),
	optionsField(show),
];

export const execute: Operation = async (run) =>
	await forEachItem(run, async (item) => {
		const query = filtersOf(run, item);
		if (query.matchesNothing) noteRead(run.notes, 0, { repeated: 0, isCut: false, reads: 0 });
		const pageSize = parsePageSize(run.parameter('options', item, {}));
		return await run.readOnce(query, async () => [
			{ count: await countCases(run.client, query, pageSize) },
		]);
	});
