import type { Deviations } from '../deviations';
import type { CaseStore } from '../store';
import type { Case } from '../types';
import { shownInRows } from './clock';
import { isHit } from './hits';

/** How a service sees the cases of the store: late, by clocks of its own, or in an index that lags. */
export interface CaseView {
	/** The case as rows show it; undefined while it doesn't show yet. */
	shown(found: Case): Case | undefined;
	/** The case as filters and orders see it; undefined while they don't. */
	indexed(found: Case): Case | undefined;
}

/** The view at this moment; undefined if the service sees the cases as they are. */
export function viewOf(
	store: CaseStore,
	{ clock = {}, rows = {}, filters = {} }: Deviations,
	now: number,
): CaseView | undefined {
	const { stepBack, dataOffset, future, createdAhead } = clock;
	const { lateEdits, lateComments, commentIdsPerCase } = rows;
	const hasOtherTimes = [stepBack, dataOffset, future, createdAhead].some(Boolean);
	const hasOtherComments = [lateComments, commentIdsPerCase].some(Boolean);
	const isLate = [lateEdits, filters.indexLag].some(Boolean);
	if (!hasOtherTimes && !hasOtherComments && !isLate) return undefined;

	const time = (timestamp: string) => store.timestamp(shownInRows(clock, Date.parse(timestamp)));
	const withTimes = (one: Case): Case => {
		const updated = () => {
			if (!future || !isHit(future, one.case_id)) return time(one.updated_at);
			if (future.at !== undefined) return store.timestamp(future.at);
			return store.timestamp(Date.parse(time(one.updated_at)) + (future.seconds ?? 0) * 1000);
		};
		const updated_at = updated();
		return {
			...one,
			updated_at,
			created_at:
				createdAhead && isHit(createdAhead, one.case_id)
					? store.timestamp(Date.parse(updated_at) + createdAhead.seconds * 1000)
					: time(one.created_at),
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
	const at = (found: Case, lag: number): Case | undefined => {
		const edits = lateEdits && isHit(lateEdits, found.case_id) ? lateEdits.seconds : 0;
		const late = edits + lag;
		const version = late > 0 ? store.versionAt(found.case_id, now - late * 1000) : found;
		if (!version) return undefined;
		const timed = hasOtherTimes ? withTimes(version) : version;
		return hasOtherTimes || hasOtherComments ? withActivities(timed) : timed;
	};
	return {
		shown: (found) => at(found, 0),
		indexed: (found) => at(found, filters.indexLag ?? 0),
	};
}
