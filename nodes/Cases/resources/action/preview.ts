import { keyOf } from '../../api/actions/sameAction';
import { nameSome } from '../../api/failures/failure';
import type { ActionInput, CaseAction } from '../../api/types';
import type { Done } from '../writeItems';

type Actions = Array<CaseAction | ActionInput>;

/** The labels of the actions that the other list doesn't have. */
const labelsOnlyIn = (some: Actions, others: Actions): string[] => {
	const keys = new Set(others.map(keyOf));
	return some.filter((one) => !keys.has(keyOf(one))).map(({ label }) => String(label));
};

/** What Preview Only returns: what would go and come, by labels, and all actions before and after. */
export function previewOf(
	case_id: unknown,
	before: Actions | undefined,
	after: Actions,
	changed: boolean | null,
): Done {
	const [gone, added] = [labelsOnlyIn(before ?? [], after), labelsOnlyIn(after, before ?? [])];
	const parts = [
		...(gone.length > 0 ? [`Removes ${nameSome(gone)}.`] : []),
		...(added.length > 0 ? [`Adds ${nameSome(added)}.`] : []),
	];
	const other = changed ? 'Changes fields of actions.' : 'Changes nothing.';
	const effect = parts.length > 0 ? parts.join(' ') : other;
	return { row: { case_id, changed, effect, before, after }, outcome: 'Preview' };
}
