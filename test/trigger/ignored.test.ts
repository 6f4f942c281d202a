import { SERVICE_USER_ID } from '../../sandbox/directory';
import { eventsOf, useTrigger } from './trigger';

const setUp = useTrigger();
const BRUNO = { id: 2, email: 'bruno.okafor@example.com' };
const EVENTS = ['caseCreated', 'caseUpdated', 'commentAdded', 'activityAdded'];

describe('what ignored users do', () => {
	it.each([
		['a service account', { ignoreServiceAccounts: true }, SERVICE_USER_ID],
		['a user by email', { ignoredUsers: ` ${BRUNO.email.toUpperCase()},x@example.com` }, BRUNO.id],
		['a user in a list', { ignoredUsers: `={{ ["${BRUNO.email}"] }}` }, BRUNO.id],
	])('starts nothing, by %s', async (_who, options, by) => {
		const { store, published, later } = await setUp({ commentsTouchCase: true });
		const poller = await published({ events: EVENTS, options });
		store.createCase({ case_id: 1, author: by });
		store.createCase({ case_id: 2 });
		expect(await eventsOf(poller)).toEqual(['caseCreated 2', 'activityAdded 2']);
		later(60);
		store.addComment(2, 'Ignored', { user_id: by });
		const [updated, ...others] = (await poller.poll()) ?? [];
		// Nobody knows who made an edit.
		expect(updated.json).toMatchObject({ event: 'caseUpdated', case_id: 2 });
		expect(others).toEqual([]);
		later(60);
		store.addComment(2, 'Seen');
		expect(await eventsOf(poller)).toEqual(['caseUpdated 2', 'commentAdded 2', 'activityAdded 2']);
	});

	it('does not hide the edit of such a case by somebody else', async () => {
		const { store, published, later } = await setUp();
		const options = { ignoreServiceAccounts: true };
		const poller = await published({ events: EVENTS, options });
		store.createCase({ case_id: 1, author: SERVICE_USER_ID });
		later(5);
		store.updateCase(1, { name: 'Edited' });
		expect(await eventsOf(poller)).toEqual(['caseUpdated 1']);
	});

	it('is reported where the options are off, and not later where they are turned off', async () => {
		const { store, published, trigger, later } = await setUp({ commentsTouchCase: true });
		const events = ['commentAdded'];
		const poller = await published({ events });
		store.createCase({ case_id: 1 });
		store.addComment(1, 'Seen', { user_id: SERVICE_USER_ID });
		const off = { options: { ignoreServiceAccounts: false } };
		expect(await eventsOf(poller)).toEqual(['commentAdded 1']);
		const on = { options: { ignoreServiceAccounts: true } };
		const ignoring = await trigger({ events, ...on, ...poller.savedData() });
		later(10);
		store.addComment(1, 'Ignored', { user_id: SERVICE_USER_ID });
		expect(await ignoring.poll()).toBeNull();
		const again = await trigger({ events, ...off, ...ignoring.savedData() });
		expect(await again.poll()).toBeNull();
	});

	it('is not an example of a test event', async () => {
		const { store, trigger } = await setUp();
		store.createCase({ case_id: 1 });
		store.createCase({ case_id: 2, author: SERVICE_USER_ID });
		store.addComment(1, 'Example');
		store.addComment(2, 'Ignored', { user_id: SERVICE_USER_ID });
		const options = { ignoreServiceAccounts: true };
		const events = ['caseCreated', 'commentAdded'];
		const test = await trigger({ events, options, mode: 'manual' });
		expect(await eventsOf(test)).toEqual(['caseCreated 1', 'commentAdded 1']);
	});
});
