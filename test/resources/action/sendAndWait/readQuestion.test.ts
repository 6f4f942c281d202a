import { readQuestion } from '../../../../nodes/Cases/resources/action/sendAndWait/readQuestion';
import { expectRefused } from '../../../support/refusal';

const NOW = Date.parse('2026-01-31T12:00:00Z');

const read = (given: Record<string, unknown>, isReview = false) =>
	readQuestion(
		{
			timezone: 'Europe/Berlin',
			stored: () => undefined,
			startedAt: NOW,
			parameter: (name, _item, fallback) => ({ message: 'Isolate?', ...given })[name] ?? fallback,
		},
		0,
		isReview,
	);
const approval = (values: object) => read({ approvalOptions: { values } }).answers;
const choices = (...choice: unknown[]) =>
	read({ responseType: 'choice', choices: { choice } }).answers;
const limited = (values: object) => read({ options: { limitWaitTime: { values } } }).waitUntil;

describe('A question', () => {
	it('is by default an approval without a limit, with a button that the service calls', () => {
		expect(read({})).toEqual({
			message: 'Isolate?',
			answers: [
				{ choice: 'approve', text: 'Approve', approved: true },
				{ choice: 'decline', text: 'Decline', approved: false },
			],
			buttonType: 'webhook',
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

	it('may have choices, whose value is by default their text', () => {
		expect(choices({ text: 'A', value: 'a' }, { text: 'B', value: ' ' })).toEqual([
			{ choice: 'a', text: 'A', approved: null },
			{ choice: 'B', text: 'B', approved: null },
		]);
	});

	it.each([
		[
			{ limitType: 'afterTimeInterval', resumeAmount: 45, resumeUnit: 'minutes' },
			'2026-01-31T12:45:00Z',
		],
		[{ resumeAmount: 1.5, resumeUnit: 'days' }, '2026-02-02T00:00:00Z'],
		[{ resumeAmount: '2' }, '2026-01-31T14:00:00Z'],
		[
			{ limitType: 'atSpecifiedTime', maxDateAndTime: '2026-02-01T08:00:00' },
			'2026-02-01T07:00:00Z',
		],
	])('waits with the limit %j until %s', (values, time) => {
		expect(limited(values)).toEqual(new Date(time));
	});

	it.each([
		['a review with a message that fits the label', true, 100, {}, 'webhook'],
		['a review with a longer message', true, 101, {}, 'page'],
		['a review with a longer message and a type', true, 101, { buttonType: 'webhook' }, 'webhook'],
		['a longer message outside of a review', false, 101, {}, 'webhook'],
	])('has the right type of buttons for %s', (_what, isReview, length, options, type) => {
		expect(read({ message: 'x'.repeat(length), options }, isReview).buttonType).toBe(type);
	});

	it.each<[string, () => unknown, RegExp]>([
		['an empty message', () => read({ message: ' ' }), /^'Message' is empty$/],
		['a message that is an object', () => read({ message: {} }), /'Message': "\{\}" is not text/],
		['no choice', () => choices(), /must have 1 to 10 entries/],
		[
			'eleven choices',
			() => choices(...Array(11).fill({ text: 'A' })),
			/must have 1 to 10 entries/,
		],
		[
			'a choice without a text',
			() => choices({ text: 'A' }, { value: 'b' }),
			/^Choice 2 has no button text$/,
		],
		[
			'two equal texts',
			() => choices({ text: 'A', value: '1' }, { text: 'A', value: '2' }),
			/same button text: "A"/,
		],
		[
			'two equal values',
			() => choices({ text: 'A', value: '1' }, { text: 'B', value: '1' }),
			/same value: "1"/,
		],
		[
			'two equal labels',
			() => approval({ approvalType: 'double', approveLabel: 'OK', disapproveLabel: 'OK' }),
			/same button text: "OK"/,
		],
		['no time to wait', () => limited({ resumeAmount: 0 }), /'Amount' must be more than 0/],
		[
			'an amount that is a word',
			() => limited({ resumeAmount: 'soon' }),
			/'Amount' must be more than 0/,
		],
		[
			'a limit in the past',
			() => limited({ limitType: 'atSpecifiedTime', maxDateAndTime: '2026-01-31' }),
			/is in the past/,
		],
		['a limit without a date', () => limited({ limitType: 'atSpecifiedTime' }), /is empty/],
	])('with %s is refused', (_what, call, message) => {
		expectRefused(call, message, /\w/);
	});
});
