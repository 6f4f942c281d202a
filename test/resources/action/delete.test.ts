import { shortenLabel } from '../../../nodes/Cases/api/actions/labels';
import { useShortWaits } from '../../support/shortWaits';
import { byId, failureOf, hintsOf, OF_ITEM, pairsOf, rowsOf } from '../../support/runs';
import { A, B, useCases } from './support';

const { service, put, stored, writes } = useCases(20);
useShortWaits();
const remove = { resource: 'action', operation: 'delete' };
const run = async (caseId: unknown, match: object, options: object = {}) =>
	await service.run({ ...remove, caseId: byId(caseId), ...match, options });

describe('Delete of actions', () => {
	it.each([
		['by label', { matchLabel: 'A' }],
		['by label with blanks around it', { matchLabel: ' A ' }],
		['by URL', { matchUrl: A.url }],
		['by URL as the service tidied it', { matchUrl: 'HTTPS://A.example/run' }],
		['by both, which must both be those of the action', { matchLabel: 'A', matchUrl: A.url }],
	])('%s leaves the others alone', async (_how, match) => {
		put(1, { ...B, action_text: 'Open' }, A);
		const [other, found] = stored(1);
		const result = await run(1, match);
		expect(rowsOf(result)).toMatchObject([
			{ case_id: 1, actions: [{ ...B, action_text: 'Open' }], changed: true, removed: 1 },
		]);
		expect(stored(1)).toEqual([other]);
		expect(writes()).toEqual([['DELETE', `1/actions/${String(found.id)}`, undefined]]);
	});

	it('takes all that match, and for each item of a case what it names', async () => {
		put(1, A, B, A, { ...B, label: 'C' });
		const items = [
			{ id: 1, label: 'A' },
			{ id: 1, label: 'C' },
		];
		const match = { matchLabel: '={{ $json.label }}' };
		const result = await service.run({ ...remove, caseId: OF_ITEM, ...match }, { items });
		expect(rowsOf(result)).toMatchObject([{ removed: 2 }, { removed: 1, actions: [B] }]);
		expect(pairsOf(result)).toEqual([[0], [1]]);
	});

	it('finds a long label as Ask and Wait shortens it', async () => {
		const message = 'Isolate? '.repeat(20);
		put(1, { ...A, label: shortenLabel(message) }, B);
		expect(rowsOf(await run(1, { matchLabel: message }))).toMatchObject([{ removed: 1 }]);
		expect(stored(1)).toMatchObject([B]);
	});

	it.each([
		['Label', { matchLabel: '={{ $json.nope }} ', matchUrl: A.url }],
		['URL', { matchLabel: 'A', matchUrl: "={{ $json.nope ?? '' }}" }],
	])('is refused where the expression of %s has no value', async (label, match) => {
		put(1, A, B);
		const { message, description } = failureOf(await run(1, match));
		expect(message).toBe(`'${label}' has an expression that returns no value`);
		expect(description).toMatch(/To match only the other field, leave this one empty\.$/);
		expect(service.sandbox.requests).toEqual([]);
	});

	it('writes nothing where no action is found, and leaves a hint', async () => {
		put(1, A);
		const result = await run(1, { matchLabel: 'a' });
		expect(rowsOf(result)).toMatchObject([{ actions: [A], changed: false, removed: 0 }]);
		expect(hintsOf(result)).toEqual([
			'No action to delete was found in these cases: 1. The label and the URL must be those of the action.',
		]);
		expect(writes()).toEqual([]);
	});

	it('is retried after a lost answer; then 404 means gone', async () => {
		put(1, A, B);
		const fault = { kind: 'drop', applied: true } as const;
		service.sandbox.faults.add({ match: { method: 'DELETE' }, fault });
		expect(rowsOf(await run(1, { matchLabel: 'A' }))).toMatchObject([{ removed: 1 }]);
		expect(writes()).toHaveLength(2);
		expect(stored(1)).toMatchObject([B]);
	});

	it('fails where an action is gone meanwhile, or the key may not delete it', async () => {
		put(1, A, { ...B, label: 'A' });
		const fault = { kind: 'status', status: 404 } as const;
		service.sandbox.faults.add({ match: { method: 'DELETE', nth: 2 }, fault });
		expect(failureOf(await run(1, { matchLabel: 'A' }))).toMatchObject({
			message: 'Action "A" of case 1 not found, or no access (404)',
			description: expect.stringContaining('written before: 1') as string,
		});
	});

	it('shows with Preview Only what would be left', async () => {
		put(1, A, B);
		const result = await run(1, { matchLabel: 'A' }, { previewOnly: true });
		expect(rowsOf(result)).toMatchObject([
			{ effect: 'Removes A.', before: [A, B], after: [B], changed: true },
		]);
		expect(writes()).toEqual([]);
	});

	it.each([
		[
			'neither a label nor a URL',
			{ matchLabel: ' ', matchUrl: '' },
			/^Neither 'Label' nor 'URL' was given$/,
		],
		[
			'an expression that returns nothing',
			{ matchLabel: 'A', matchUrl: '={{ $json.nope }}' },
			/^'URL' has an expression that returns no value$/,
		],
	])('refuses %s', async (_what, match, message) => {
		expect(failureOf(await run(1, match)).message).toMatch(message);
		expect(service.sandbox.requests).toEqual([]);
	});
});
