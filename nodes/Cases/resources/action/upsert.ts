import type { INodeProperties } from 'n8n-workflow';

import {
	afterMatches,
	isNeeded,
	matchActions,
	repeatedAction,
} from '../../api/actions/matchActions';
import { readActions } from '../../api/actions/readActions';
import { createAction, updateAction, writeEach } from '../../api/actions/singleActions';
import { InvalidInput, quote } from '../../api/failure';
import { caseIdOf } from '../../api/identity';
import { actionFields, readActions as readGiven } from '../../fields/actions';
import { caseLocatorField } from '../../fields/caseLocator';
import { optionsField } from '../../fields/options';
import { switchOption } from '../../fields/writeSwitches';
import type { ActionInput } from '../../api/types';
import { checkItems, valueOf, type Checked, type Operation, type Run } from '../../n8n/run';
import { caseIdsOfItems, groupItems } from '../casesOfItems';
import { checkGiven, groupByCase, type Given } from './caseWrites';
import { writeCases } from './writes';

const show = { resource: ['action'], operation: ['upsert'] };

export const fields: INodeProperties[] = [
	caseLocatorField(show, 'The case to create or update actions in'),
	...actionFields(
		show,
		'Each action updates the one with the same URL and label. If the URL stands only once, the label is updated too. Otherwise the action is added at the end.',
	),
	optionsField(show, switchOption('previewOnly')),
];

function givenActions(run: Run, item: number) {
	const actions = readGiven(run, item);
	if (actions.length > 0) return actions;
	throw new InvalidInput('No action was given', 'Add an action to create or update.');
}

/** Refuses the items of a case that is given an action twice. */
function refuseRepeated(
	run: Run,
	ids: Array<Checked<string>>,
	given: Array<Checked<Given<ActionInput[]>>>,
): Array<Checked<string>> {
	const repeatedIn = new Map(
		groupItems(ids).map(({ caseId, items }) => {
			const usable = items.map((item) => given[item]);
			const lists = usable.flatMap((one) => ('failure' in one ? [] : one.value.value));
			return [caseId, repeatedAction(lists)];
		}),
	);
	return checkItems(run, (item) => {
		const id = valueOf(ids[item]);
		const repeated = repeatedIn.get(id);
		if (repeated === undefined) return id;
		throw new InvalidInput(
			`Case ${id} is given two actions with the URL ${quote(repeated.url)} and the label ${quote(repeated.label)}`,
			'Each would overwrite the one before. Enter each action of a case once.',
		);
	});
}

export const execute: Operation = async (run) => {
	const { client } = run;
	const given = checkGiven(run, (item) => givenActions(run, item));
	const grouped = groupByCase(refuseRepeated(run, caseIdsOfItems(run), given), given);
	return await writeCases(run, grouped, undefined, async ({ caseId, given, previewOnly }) => {
		const case_id = caseIdOf(caseId);
		const existing = await readActions(client, caseId);
		const matches = matchActions(existing, given.flat());
		const changed = matches.some(isNeeded);
		if (previewOnly) {
			return { case_id, before: existing, after: afterMatches(existing, matches), changed };
		}
		const written = await writeEach(
			matches.filter(isNeeded),
			(match) => match.given.label,
			async ({ given: action, current }) =>
				current === undefined
					? await createAction(client, caseId, action)
					: await updateAction(client, caseId, current, action),
		);
		const actions = matches.map((match) => (isNeeded(match) ? written.shift() : match.current));
		return { case_id, actions, changed };
	});
};
