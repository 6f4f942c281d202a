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
		[{ options: { ignoredUsers: 'ana' } }, /^'Ignored Users': "ana" is not an email/, /commas/],
		[{ options: { ignoredUsers: '={{ undefined }}' } }, /^'Ignored Users' has an expression/, /./],
		[{ options: { ignoredUsers: '={{ null }}' } }, /^'Ignored Users' has an expression that/, /./],
		[
			{ options: { ignoreServiceAccounts: '={{ "maybe" }}' } },
			/^'Ignore Service Accounts': "maybe" is neither true nor false$/,
			/./,
		],
		[
			{ events: ['caseMatched'] },
			/'Case Starts to Match' needs a filter/,
			/Add an entry under 'Filters' and give it a value\.$/,
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
	it('says why and when to retry, without the key, and the next poll reports what it left', async () => {
		const { sandbox, store, published } = await setUp();
		const poller = await published({ events: ['caseCreated'] });
		store.createCase({ case_id: 1 });
		const body = { error: 'Too many' };
		sandbox.faults.add({ fault: { kind: 'status', status: 429, retryAfter: 90, body } });
		const before = poller.saved();
		const error = await failureOf(poller);
		expect(error.message).toBe('Rate limit reached (429)');
		expect(error.description).toContain('The service says: Too many');
		expect(error.failure?.retryAfterMs).toBe(90_000);
		expectNoKey(error, Object.values(sandbox.keys));
		expect(poller.saved()).toEqual(before);
		expect(await eventsOf(poller)).toEqual(['caseCreated 1']);
	});
});
