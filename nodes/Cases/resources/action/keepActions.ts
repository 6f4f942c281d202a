import { quote } from '../../api/failure';
import { planKeeping, type Keeping, type Kept } from '../../api/keepActions';
import type { KeepingPlan } from '../../api/actionPlans';
import type { Case, CaseAction } from '../../api/types';
import type { Run } from '../../n8n/run';

/** Notes for a hint which actions are kept without their button texts. */
export function noteLostTexts({ notes }: Run, caseId: string, losing: CaseAction[]): void {
	for (const { label, url } of losing) {
		notes.lostTexts.push(`${quote(label ?? url ?? '')} (case ${caseId})`);
	}
}

/** As `planKeeping` of the API, with a hint for what gets lost. */
export async function planKeepingInRun(
	run: Run,
	keeping: Keeping,
	current: Case,
	plan: (existing: CaseAction[]) => KeepingPlan,
): Promise<Kept> {
	const kept = await planKeeping(run.client, keeping, current, plan);
	noteLostTexts(run, keeping.caseId, kept.losing);
	return kept;
}
