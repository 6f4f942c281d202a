import { ApiFailure } from '../../api/failure';
import { replaceActions, type Written } from '../../api/replaceActions';
import { NotNeeded } from '../../api/sender';
import type { ActionInput, Case, CaseAction, Row } from '../../api/types';
import type { Run } from '../../n8n/run';
import type { CaseWrite } from './caseWrites';
import { noteLostTexts } from './lostTexts';

/** What to do with a case. */
export interface Plan {
	/** The case as it was read; undefined where it wasn't. */
	row?: Case;
	/** When it was read; undefined where the write doesn't rest on that. */
	readAt?: number;
	/** The actions that the case had then; undefined where they are unknown. */
	existing?: CaseAction[];
	/** The actions that the case is to have. */
	actions: ActionInput[];
	/** Whether the write changes the case: false leaves it out, null is unknown. */
	changed: boolean | null;
	/** The kept actions whose button texts get lost, for a hint. */
	losingText?: CaseAction[];
	/** How many actions the write removes, where the output shows it; null is unknown. */
	removed?: number | null;
	/** Whether no action was found to delete, for a hint. */
	hasNoMatch?: boolean;
}

/** A case and what to do with it. */
export interface Planned<T = unknown> {
	write: CaseWrite<T>;
	plan: Plan;
}

/** Whether the case is to be written at all. */
export const isWritten = ({ write, plan }: Planned) => !write.previewOnly && plan.changed !== false;

/** Whether a write that failed, or that turned out not to be needed, may have been carried out. */
export function mayHaveBeenDone(failure: unknown): boolean {
	if (failure instanceof NotNeeded) return failure.mayHaveBeenDone;
	return failure instanceof ApiFailure && failure.details.mayHaveBeenDone === true;
}

/**
 * Writes a planned case.
 * @param replan plans the case by how it is now; where the plan is too old before a try, it is replaced
 */
async function write(
	run: Run,
	planned: Planned,
	replan: () => Promise<Plan>,
): Promise<Written | NotNeeded> {
	const { caseId } = planned.write;
	const { actions, readAt, losingText } = planned.plan;
	const again = async () => {
		planned.plan = await replan();
		// A plan that rests on no read is not too old.
		const { actions, readAt = run.client.now() } = planned.plan;
		return isWritten(planned) ? { actions, readAt } : undefined;
	};
	const basis = readAt === undefined ? undefined : { readAt, again };
	return await replaceActions(run.client, caseId, actions, basis).catch((failure: unknown) => {
		if (mayHaveBeenDone(failure)) noteLostTexts(run, caseId, losingText);
		if (failure instanceof NotNeeded) return failure;
		throw failure;
	});
}

/** Writes, skips or previews a planned case. @returns the output of the case */
export async function carryOut(
	run: Run,
	planned: Planned,
	replan: () => Promise<Plan>,
): Promise<Row> {
	const { caseId, previewOnly } = planned.write;
	const outcome = isWritten(planned) ? await write(run, planned, replan) : undefined;
	const { row = { case_id: caseId }, existing, actions, changed, removed } = planned.plan;
	const isUnsure =
		outcome instanceof NotNeeded ? outcome.mayHaveBeenDone : outcome?.doubt !== undefined;
	const besides = removed === undefined ? {} : { removed: isUnsure ? null : removed };
	noteLostTexts(run, caseId, planned.plan.losingText);
	if (planned.plan.hasNoMatch && !isUnsure) run.notes.casesWithoutMatch.add(caseId);

	if (outcome !== undefined && !(outcome instanceof NotNeeded)) {
		const { doubt, ...written } = outcome;
		if (doubt !== undefined) run.notes.doubtfulWrites.set(caseId, doubt);
		const isUnknown = planned.plan.row !== undefined && existing === undefined;
		return { ...written, changed: isUnknown || doubt !== undefined ? null : true, ...besides };
	}
	const before = existing ?? null;
	const { case_id } = row;
	if (!previewOnly) {
		return { case_id, actions: before, changed: isUnsure ? null : changed, ...besides };
	}
	run.notes.previewedCases++;
	return { case_id, before, after: actions, changed };
}
