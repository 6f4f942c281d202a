import { ApiFailure } from '../../api/failure';
import { caseIdentity } from '../../api/identity';
import type { Log } from '../../api/log';
import type { Case, Page } from '../../api/types';
import { nameFirst } from './log';
import { numberOfCase, versionOf } from './memory';
import type { EditsPage } from './scan';
import { editedAt, notATime, type Seconds } from './state';

/** How much earlier than requested an edit may be, where a service compares days: a day in any timezone. */
const DAY: Seconds = 86_400;

/** Where this many rows come and none has a usable time, the service is at fault, not a single row. */
const ALL_BAD = 20;

/**
 * Reads a page of edits. Rows without a usable time are left out and named.
 * @throws ApiFailure where no row has one, and where the service didn't heed the time or the order: otherwise every
 * case would be an event
 */
export function readEditsPage(
	{ rows, meta, servedAt }: Page<Case>,
	from: Seconds,
	pageSize: number,
	info: Log['info'],
): EditsPage {
	const dated = rows.map((row) => ({ row, edited: editedAt(row) }));
	const undated = dated.filter(({ edited }) => edited === undefined);
	if (undated.length > 0) {
		const { row } = undated[0];
		if (undated.length === rows.length && rows.length >= ALL_BAD)
			throw notATime(row.updated_at, 'updated_at');
		const skipped = undated.map((one) => caseIdentity(one.row));
		info(`Skipped case ${nameFirst(skipped)}: updated_at is not a time`);
	}
	const edits = dated.flatMap(({ row, edited }) =>
		edited === undefined ? [] : [{ row, version: versionOf(row, edited) }],
	);
	const times = edits.map(({ version }) => version.edited);
	const steps = times.slice(1).map((time, index) => time - times[index]);
	const isDescending = steps.some((step) => step < 0) && !steps.some((step) => step > 0);
	if (isDescending || times.some((time) => time < from - DAY)) {
		throw new ApiFailure('The service ignored the requested time or order of changes', {
			description:
				"The trigger needs the filter updated_at_start_date and the order LEAST_RECENTLY_EDITED. Ask the service's administrator why they have no effect.",
			retryable: false,
		});
	}
	return {
		edits,
		undated: undated.map(({ row }) => numberOfCase(caseIdentity(row))),
		isFull: rows.length >= Math.min(pageSize, meta.perPage ?? pageSize),
		size: meta.perPage,
		isUnordered: steps.some((step) => step < 0),
		pages: meta.pages,
		hasNextPage: meta.hasNextPage,
		servedAt: servedAt === undefined ? undefined : servedAt / 1000,
	};
}
