import { randomOf } from '../random';

/** Whether a deviation hits a case: all, the given ones, or a share of them that never changes. */
export function isHit(
	{ cases, share }: { cases?: readonly number[]; share?: number },
	caseId: number,
): boolean {
	if (cases && !cases.includes(caseId)) return false;
	return share === undefined || randomOf(caseId).chance(share);
}
