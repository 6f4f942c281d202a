import { readEach } from '../../../../nodes/Cases/fields/form';
import {
	ANSWERS,
	MESSAGE,
	OPTIONS,
} from '../../../../nodes/Cases/resources/action/sendAndWait/question';
import { parametersWith } from '../../../support/parameters';
import { expectRefused } from '../../../support/refusal';

const FIELDS = { message: MESSAGE, answers: ANSWERS, options: OPTIONS };
const read = (given: Record<string, unknown>) =>
	readEach(FIELDS, parametersWith({ message: 'Isolate?', ...given }), 0);
const approval = (values: object) => read({ approvalOptions: { values } }).answers;
const choices = (...choice: unknown[]) =>
	read({ responseType: 'choice', choices: { choice } }).answers;
const limited = (limitWaitTime: unknown) => read({ options: { limitWaitTime } }).options;

describe('A question', () => {
	it('is by default an approval without a limit', () => {
		expect(read({})).toEqual({
			message: 'Isolate?',
			answers: [
				{ choice: 'approve', text: 'Approve', approved: true },
				{ choice: 'decline', text: 'Decline', approved: false },
			],
			options: { buttonType: undefined, keepButtons: false, limitWaitTime: undefined },
		});
	});

	it('may have two answers with texts of their own', () => {
		const labels = { approveLabel: ' Isolate ', disapproveLabel: 'Leave' };
		expect(approval({ approvalType: 'double', ...labels })).toEqual([
			{ choice: 'approve', text: 'Isolate', approved: true },
			{ choice: 'decline', text: 'Leave', approved: false },
		]);
	});

	it('may have its types in any letter case, as expressions write them', () => {
		expect(approval({ approvalType: 'Single' })).toHaveLength(1);
		expect(read({ options: { buttonType: 'Page' } }).options.buttonType).toBe('page');
	});

	it('may have choices, whose value is by default their text', () => {
		expect(choices({ text: 'A', value: 'a' }, { text: 'B', value: ' ' })).toEqual([
			{ choice: 'a', text: 'A', approved: null },
			{ choice: 'B', text: 'B', approved: null },
		]);
	});

	it('may have a limit in minutes, also as text', () => {
		expect(limited(45)).toMatchObject({ limitWaitTime: 45 });
		expect(limited('90')).toMatchObject({ limitWaitTime: 90 });
	});

	it.each<[string, () => unknown, RegExp]>([
		['an empty message', () => read({ message: ' ' }), /^'Message' is empty$/],
		['a message that is an object', () => read({ message: {} }), /'Message': "\{\}" is not text/],
		['no choice', () => choices(), /must have one or more entries/],
		['a choice without a text', () => choices({ text: 'A' }, { value: 'b' }), /'Button Text'/],
		['another type of approval', () => approval({ approvalType: 'none' }), /'Type of Approval'/],
		['another type of answer', () => read({ responseType: 'text' }), /'Response Type': "text"/],
		['a null for the button type', () => read({ options: { buttonType: null } }), /'Button Type'/],
		['no time to wait', () => limited(0), /must be a whole number from 1 to 525600/],
		['a limit without a value', () => limited(undefined), /must be a whole number/],
		['a limit that is null', () => limited(null), /must be a whole number/],
		['a limit that is a word', () => limited('soon'), /must be a whole number/],
	])('with %s is refused', (_what, call, message) => {
		expectRefused(call, message, /\w/);
	});
});
