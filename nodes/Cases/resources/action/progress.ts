import { ApiFailure, InvalidInput, nameSome } from '../../api/failure';
import { ItemFailure } from '../../n8n/run';
import { mayHaveBeenDone } from './carryOut';
import type { CaseWrite } from './caseWrites';

type Outcome = 'Failed' | 'Perhaps written' | 'Written' | 'Not started';

/** Notes how far the writes of a run come. */
export class Progress {
	private readonly outcomes = new Map<CaseWrite<unknown>, Outcome>();

	async track<R>(write: CaseWrite<unknown>, task: () => Promise<R>): Promise<R> {
		const note = (outcome: Outcome) => this.outcomes.set(write, outcome);
		note('Failed');
		return await task().then(
			(result) => {
				note('Written');
				return result;
			},
			(failure: unknown) => {
				if (mayHaveBeenDone(failure)) note('Perhaps written');
				throw failure;
			},
		);
	}

	/** The failure that ended the writes, with a report of which cases were written. */
	report(error: unknown, writes: Array<CaseWrite<unknown>>): unknown {
		if (!(error instanceof ItemFailure)) return error;
		const { failure, item } = error;
		if (!(failure instanceof ApiFailure || failure instanceof InvalidInput)) return error;
		const casesWith = (outcome: Outcome) =>
			writes.filter((write) => (this.outcomes.get(write) ?? 'Not started') === outcome);
		const said = (['Failed', 'Perhaps written', 'Written', 'Not started'] as const)
			.map((outcome) => [outcome, casesWith(outcome)] as const)
			.filter(([, cases]) => cases.length > 0)
			.map(([outcome, cases]) => `${outcome}: ${listCases(cases)}.`);
		const reported =
			failure instanceof ApiFailure
				? new ApiFailure(failure.message, {
						...failure.details,
						description: [failure.details.description, ...said].join(' '),
					})
				: new InvalidInput(failure.message, [failure.description, ...said].join(' '));
		return new ItemFailure(reported, item);
	}
}

function listCases(writes: Array<CaseWrite<unknown>>): string {
	const ids = writes.map(({ caseId }) => caseId);
	return `${ids.length === 1 ? 'case' : 'cases'} ${nameSome(ids, 100)}`;
}
