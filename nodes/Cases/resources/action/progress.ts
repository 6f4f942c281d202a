import { ApiFailure, InvalidInput, nameSome } from '../../api/failure';
import type { Row } from '../../api/types';
import { ItemFailure } from '../../n8n/run';
import type { CaseWrite } from './caseWrites';

const OUTCOMES = ['Failed', 'Perhaps written', 'Written', 'Unchanged', 'Not started'] as const;

type Outcome = (typeof OUTCOMES)[number];

/** Notes how far the writes of a run come. */
export class Progress {
	private readonly outcomes = new Map<CaseWrite<unknown>, Outcome>();

	constructor(private readonly writes: Array<CaseWrite<unknown>>) {}

	async track(write: CaseWrite<unknown>, task: () => Promise<Row>): Promise<Row> {
		const note = (outcome: Outcome) => this.outcomes.set(write, outcome);
		note('Failed');
		return await task().then(
			(row) => {
				note('before' in row || row.changed === false ? 'Unchanged' : 'Written');
				return row;
			},
			(failure: unknown) => {
				const isUnsure = failure instanceof ApiFailure && failure.details.mayHaveBeenDone === true;
				if (isUnsure) note('Perhaps written');
				throw failure;
			},
		);
	}

	/** The failure that ended the writes, with a report of which cases were written. */
	report(error: unknown): unknown {
		if (!(error instanceof ItemFailure)) return error;
		const { failure, item } = error;
		const said = OUTCOMES.map((outcome) => this.describe(outcome)).filter((text) => text !== '');
		const describe = (description: string) => [description, ...said].join(' ');
		if (failure instanceof ApiFailure) {
			const description = describe(failure.details.description);
			return new ItemFailure(
				new ApiFailure(failure.message, { ...failure.details, description }),
				item,
			);
		}
		if (!(failure instanceof InvalidInput)) return error;
		return new ItemFailure(new InvalidInput(failure.message, describe(failure.description)), item);
	}

	private describe(outcome: Outcome): string {
		const ids = this.writes
			.filter((write) => (this.outcomes.get(write) ?? 'Not started') === outcome)
			.map(({ caseId }) => caseId);
		if (ids.length === 0) return '';
		return `${outcome}: ${ids.length === 1 ? 'case' : 'cases'} ${nameSome(ids, 100)}.`;
	}
}
