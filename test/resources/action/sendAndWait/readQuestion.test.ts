import { readQuestion } from '../../../../nodes/Cases/resources/action/sendAndWait/question';
import { parametersWith } from '../../../support/parameters';
import { expectRefused } from '../../../support/refusal';

const NOW = Date.parse('2026-01-31T12:00:00Z');

const read = (given: Record<string, unknown>, input: Record<string, unknown> = {}) =>
	readQuestion(parametersWith({ message: 'Isolate?', ...given }, NOW), 0, input);
const approval = (values: object) => read({ approvalOptions: { values } }).answers;
const choices = (...choice: unknown[]) =>
	read({ responseType: 'choice', choices: { choice } }).answers;
const limited = (limitWaitTime: unknown) => read({ options: { limitWaitTime } }).waitUntil;

describe('A question', () => {
	it('is by default an approval without a limit, with a button that the service calls', () => {
		expect(read({})).toEqual({
			message: 'Isolate?',
			answers: [
				{ choice: 'approve', text: 'Approve', approved: true },
				{ choice: 'decline', text: 'Decline', approved: false },
			],
			isPage: false,
			keepButtons: false,
			waitUntil: undefined,
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
		expect(read({ options: { buttonType: 'Page' } }).isPage).toBe(true);
	});

	it('may have choices, whose value is by default their text', () => {
		expect(choices({ text: 'A', value: 'a' }, { text: 'B', value: ' ' })).toEqual([
			{ choice: 'a', text: 'A', approved: null },
			{ choice: 'B', text: 'B', approved: null },
		]);
	});

	it('waits up to a limit in minutes', () => {
		expect(limited(45)).toEqual(new Date('2026-01-31T12:45:00Z'));
		expect(limited('90')).toEqual(new Date('2026-01-31T13:30:00Z'));
	});

	it.each([
		['a message that fits the label', 100, {}, false],
		['a longer message', 101, {}, true],
		['a longer message and a type', 101, { buttonType: 'webhook' }, false],
		['a short message and a type', 5, { buttonType: 'page' }, true],
	])('has the right type of buttons for %s', (_what, length, options, isPage) => {
		expect(read({ message: 'x'.repeat(length), options }).isPage).toBe(isPage);
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
