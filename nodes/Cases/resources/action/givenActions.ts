import { InvalidInput } from '../../api/failure';
import type { ActionInput } from '../../api/types';
import { readActions } from '../../fields/actions';
import { readWriteSwitches, strictest, type WriteSwitches } from '../../fields/writeSwitches';
import { checkItems, valueOf, type Checked, type Run } from '../../n8n/run';
import { caseIdsOfItems, groupItems } from '../casesOfItems';
import type { Write } from '../writeItems';

/** Actions for a case: those of one item or, where each item is one action, of all items that name the case. */
export interface GivenActions extends WriteSwitches {
	caseId: string;
	actions: ActionInput[];
}

/**
 * Reads the actions that the items give their cases.
 * @param nothingGiven message and description of the error where an item gives none
 * @param write what to do with them
 */
export function writesOf(
	run: Run,
	nothingGiven: [message: string, description: string],
	write: (given: GivenActions) => Write,
): Array<Checked<Write>> {
	const ids = caseIdsOfItems(run);
	const given = checkItems(run, (item): GivenActions => {
		const actions = readActions(run, item);
		if (actions.length === 0) throw new InvalidInput(...nothingGiven);
		return { caseId: valueOf(ids[item]), actions, ...readWriteSwitches(run, item) };
	});
	const writes = given.map((one) => ('failure' in one ? one : { value: write(one.value) }));
	if (run.parameter('actionsFrom', 0) !== 'items') return writes;
	for (const { caseId, items } of groupItems(ids)) {
		const together = combine(caseId, items, given, write);
		for (const item of items) if ('value' in given[item]) writes[item] = together;
	}
	return writes;
}

/** One write for the items of a case. With a bad one the case isn't written: some of its actions would be missing. */
function combine(
	caseId: string,
	items: number[],
	given: Array<Checked<GivenActions>>,
	write: (given: GivenActions) => Write,
): Checked<Write> {
	const bad = items.find((item) => 'failure' in given[item]);
	if (bad === undefined) {
		const each = items.map((item) => valueOf(given[item]));
		const actions = each.flatMap((one) => one.actions);
		return { value: write({ caseId, actions, ...strictest(each) }) };
	}
	return {
		failure: new InvalidInput(
			`Case ${caseId} was not changed, because item ${bad} for the same case can't be used`,
			'Correct that item. What the items of a case give is written together.',
		),
	};
}
