import { expectNoKey } from '../support/service';
import { eventsOf, failureOf, useTrigger } from './trigger';

const setUp = useTrigger();

describe('parameters that are refused', () => {
	const EXPRESSION = '={{ ({ status: "OPEN", pageSize: 10 }) }}';
	const NEVER_CLOSED = /^'Case Closed' can never start the workflow while 'Status' is Open$/;
	const CLOSED = /a closed case is no longer open/;
	const KNOWN = /caseCreated, caseUpdated/;

	it.each([
		[{ events: ['caseCreated', 'caseClosed'], filters: { status: 'OPEN' } }, NEVER_CLOSED, CLOSED],
		[{ filters: EXPRESSION }, /^'Filters' can't be set by one expression$/, /./],
		[{ options: EXPRESSION }, /^'Options' can't be set by one expression$/, /./],
		[
			{ filters: { case_ids: '={{ [] }}' } },
			/^'Case IDs' is an empty list, so the workflow can never start$/,
			/^Enter at least one case ID, or remove the filter\.$/,
		],
		[{ events: '={{ [] }}' }, /^'Trigger On' is empty$/, /Choose which events/],
		[{ events: '={{ ["caseOpened"] }}' }, /^'Trigger On' has no event "caseOpened"$/, KNOWN],
		[{ events: '={{ null }}' }, /^'Trigger On' has no event ""$/, KNOWN],
		[
			{ events: ['caseMatched'] },
			/'Case Starts to Match' needs a filter/,
			/choose 'Case Created' instead/,
		],
	])('%j are an error before any request', async (parameters, message, description) => {
		const { sandbox, trigger } = await setUp();
		const error = await failureOf(await trigger({ parameters }));
		expect(error.message).toMatch(message);
		expect(error.description).toMatch(description);
		expect(sandbox.requests).toEqual([]);
	});
});

describe('a failing poll', () => {
	it('says why a poll failed and when to retry, once nothing is left to report', async () => {
		const { sandbox, store, published, later } = await setUp();
		const poller = await published({ events: ['caseCreated'], options: { pageSize: 2 } });
		for (let id = 1; id <= 5; id++) {
			store.createCase({ case_id: id });
			later(10);
		}
		const fault = {
			kind: 'status',
			status: 429,
			retryAfter: 90,
			body: { error: 'Too many' },
		} as const;
		sandbox.faults.add({ match: { nth: 2 }, fault });
		expect(await eventsOf(poller)).toEqual(['caseCreated 1', 'caseCreated 2']);
		sandbox.faults.add({ fault });
		const before = poller.snapshot();
		const error = await failureOf(poller);
		expect(error.message).toBe('Rate limit reached (429)');
		expect(error.description).toContain('The service says: Too many');
		expect(error.failure?.retryAfterMs).toBe(90_000);
		expectNoKey(error, Object.values(sandbox.keys));
		expect(poller.snapshot()).toEqual(before);
		expect(await eventsOf(poller)).toHaveLength(3);
	});
});
