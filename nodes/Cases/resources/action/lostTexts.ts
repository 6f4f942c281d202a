import { quote } from '../../api/failure';
import type { CaseAction } from '../../api/types';
import type { Run } from '../../n8n/run';

/** Notes for a hint which actions are kept without their button texts. */
export function noteLostTexts({ notes }: Run, caseId: string, losingText: CaseAction[] = []): void {
	for (const { label, url } of losingText) {
		notes.lostTexts.push(`${quote(label ?? url ?? '')} (case ${caseId})`);
	}
}
