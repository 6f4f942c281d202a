import type { Deviations } from '../deviations';
import type { CaseStore } from '../store';
import type { Case } from '../types';
import { shownInRows } from './clock';
import { isHit } from './hits';

/** A case as rows, filters and orders see it: late, or by clocks of their own; undefined while it doesn't show yet. */
export type CaseView = (found: Case) => Case | undefined;

/** The view at this moment; undefined if the service sees the cases as they are. */
export function viewOf(
	store: CaseStore,
	{ clock = {}, rows = {} }: Deviations,
	now: number,
): CaseView | undefined {
	const { dataOffset, future } = clock;
	const { lateEdits, lateComments, commentIdsPerCase } = rows;
	const hasOtherTimes = [dataOffset, future].some(Boolean);
	const hasOtherComments = [lateComments, commentIdsPerCase].some(Boolean);
	if (!hasOtherTimes && !hasOtherComments && !lateEdits) return undefined;

	const time = (timestamp: string) => store.timestamp(shownInRows(clock, Date.parse(timestamp)));
	const withTimes = (one: Case): Case => {
		const updated = () => {
			if (!future || !isHit(future, one.case_id)) return time(one.updated_at);
			if (future.at !== undefined) return store.timestamp(future.at);
			return store.timestamp(Date.parse(time(one.updated_at)) + (future.seconds ?? 0) * 1000);
		};
		return {
			...one,
			updated_at: updated(),
			created_at: time(one.created_at),
			opened_at: one.opened_at && time(one.opened_at),
			resolved_at: one.resolved_at && time(one.resolved_at),
		};
	};
	const withActivities = (one: Case): Case => ({
		...one,
		activities: () => {
			let activities = one.activities().map((activity, index) => ({
				...activity,
				id: commentIdsPerCase ? index + 1 : activity.id,
				created_at: time(activity.created_at),
			}));
			if (lateComments && isHit(lateComments, one.case_id)) {
				const until = shownInRows(clock, now - lateComments.seconds * 1000);
				activities = activities.filter(({ created_at }) => Date.parse(created_at) <= until);
			}
			return activities;
		},
	});
	return (found) => {
		const late = lateEdits && isHit(lateEdits, found.case_id) ? lateEdits.seconds : 0;
		const version = late > 0 ? store.versionAt(found.case_id, now - late * 1000) : found;
		if (!version) return undefined;
		const timed = hasOtherTimes ? withTimes(version) : version;
		return hasOtherTimes || hasOtherComments ? withActivities(timed) : timed;
	};
}
