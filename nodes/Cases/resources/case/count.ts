import type { INodeProperties } from 'n8n-workflow';

import { countCases } from '../../api/cases/cases';
import { MAX_PAGE_SIZE } from '../../api/types';
import { filtersField, readFilters } from '../../fields/filters/filters';
import { noteObserved } from '../../n8n/hints';
import { optionsField, readSwitch, switchOption } from '../../fields/options';
import { forEachItem, type Operation } from '../../n8n/run';

const show = { resource: ['case'], operation: ['count'] };

export const fields: INodeProperties[] = [
	filtersField(show),
	optionsField(show, switchOption('acceptIncomplete')),
];

export const execute: Operation = async (run) =>
	await forEachItem(run, async (item) => {
		const query = readFilters(run, item);
		const acceptIncomplete = readSwitch(run, item, 'acceptIncomplete');
		return await run.readShared({ query, acceptIncomplete }, async () => {
			const { count, observed } = await countCases(run.client, query, {
				pageSize: MAX_PAGE_SIZE,
				acceptIncomplete,
			});
			noteObserved(run, 'cases', observed);
			return [{ count }];
		});
	});
