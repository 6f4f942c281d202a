import type { INodeProperties } from 'n8n-workflow';

import { readActions } from '../../api/actions/readActions';
import { createAction, updateAction } from '../../api/actions/singleActions';
import { upsertActions, type WriteAction } from '../../api/actions/upsertActions';
import { caseIdOf } from '../../api/identity';
import { actionFields } from '../../fields/actions';
import { caseLocatorField } from '../../fields/caseLocator';
import { optionsField } from '../../fields/options';
import { switchOption } from '../../fields/writeSwitches';
import type { Operation } from '../../n8n/run';
import { writeItems } from '../writeItems';
import { writesOf } from './givenActions';

const show = { resource: ['action'], operation: ['upsert'] };

export const fields: INodeProperties[] = [
	caseLocatorField(show, 'The case to create or update actions in'),
	...actionFields(
		show,
		'Each action updates the one with the same URL and label. If the URL stands only once, the label is updated too. Otherwise the action is added at the end.',
	),
	optionsField(show, switchOption('previewOnly')),
];

export const execute: Operation = async (run) => {
	const { client } = run;
	const nothingGiven: [string, string] = [
		'No action was given',
		'Add an action to create or update.',
	];
	const writes = writesOf(run, nothingGiven, ({ caseId, actions, previewOnly }) => {
		const write: WriteAction = async (given, current) =>
			current === undefined
				? await createAction(client, caseId, given)
				: await updateAction(client, caseId, current, given);
		const preview: WriteAction = async (given, current) =>
			await Promise.resolve({ ...current, ...given });
		const carryOut = async () => {
			const case_id = caseIdOf(caseId);
			const before = await readActions(client, caseId);
			const done = await upsertActions(before, actions, previewOnly ? preview : write);
			const changed = done.writes > 0;
			return previewOnly
				? { case_id, before, after: done.after, changed }
				: { case_id, actions: done.actions, changed };
		};
		return { caseId, carryOut };
	});
	return await writeItems(run, writes);
};
