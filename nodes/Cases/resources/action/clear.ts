import type { INodeProperties } from 'n8n-workflow';

import { caseLocatorField, readCaseId } from '../../fields/caseLocator';
import { optionsField, readSwitch, switchOption } from '../../fields/options';
import { checkItems, type Operation } from '../../n8n/run';
import { writeItems } from '../writeItems';
import { replacing } from './replace';

const show = { resource: ['action'], operation: ['clear'] };

export const fields: INodeProperties[] = [
	caseLocatorField(show, 'The case to remove all actions from'),
	optionsField(show, switchOption('previewOnly')),
];

/** Clear is Replace All without actions. */
export const execute: Operation = async (run) => {
	const checked = checkItems(run, (item) => {
		const caseId = readCaseId(run, item, run.client.tenant.baseUrl);
		const previewOnly = readSwitch(run, item, 'previewOnly');
		return replacing(run, caseId, { actions: [], previewOnly, skipUnchanged: false });
	});
	return await writeItems(run, checked);
};
