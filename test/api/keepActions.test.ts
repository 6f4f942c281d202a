import { planDelete, planUpsert } from '../../nodes/Cases/api/actionPlans';
import { InvalidInput } from '../../nodes/Cases/api/failure';
import { planKeeping, type Keeping } from '../../nodes/Cases/api/keepActions';
import type { CaseAction } from '../../nodes/Cases/api/types';
import { answering } from './answering';

const actionOf = (label: string, more: object = {}): CaseAction => ({
	url: `https://${label}.example/`,
	label,
	action_type: 'webhook',
	...more,
});
const KNOWN = { action_text: 'Go', query_params: {} };
const added = { url: 'https://new.example/', label: 'new', action_type: 'page' };

/** Plans to add an action to a case that carries these, and whose own list has others. */
async function planned(
	carried: unknown,
	{ own = [], ...keeping }: Partial<Keeping> & { own?: CaseAction[] } = {},
) {
	const { client, requests } = answering(() => ({ actions: own, meta: { pages: 1 } }));
	const kept = await planKeeping(
		client,
		{ caseId: '7', acceptTextLoss: false, readButtonTexts: false, ...keeping },
		{ case_id: 7, actions: carried as CaseAction[] },
		(existing) => planUpsert('7', existing, [added]),
	);
	const { existing, actions } = kept;
	return { kept, existing, labels: actions.map(({ label }) => label), requests: requests.length };
}

describe('Actions that are kept', () => {
	it('are those that the case carries', async () => {
		const known = actionOf('a', KNOWN);
		const { kept, requests } = await planned([known]);
		expect(kept).toEqual({
			actions: [{ ...actionOf('a'), action_text: 'Go' }, added],
			losingText: [],
			removed: 0,
			existing: [known],
		});
		expect(requests).toBe(0);
	});

	test.each<[string, unknown, number]>([
		['knows all texts and parameters', [actionOf('a', KNOWN), actionOf('b', KNOWN)], 0],
		['lacks one text', [actionOf('a', KNOWN), actionOf('b', { query_params: {} })], 1],
		['lacks the parameters', [actionOf('a', { action_text: '' }), actionOf('b', KNOWN)], 1],
		['has null for a text', [actionOf('a', { ...KNOWN, action_text: null })], 1],
		['carries none', [], 1],
		['carries no list of them', undefined, 1],
	])('and a case that %s needs its own list: %j', async (_what, carried, count) => {
		const texted = ['a', 'b'].map((label) => actionOf(label, KNOWN));
		const own = Array.isArray(carried) ? texted.slice(0, carried.length) : texted;
		const { existing, requests } = await planned(carried, { own, readButtonTexts: true });
		expect(requests).toBe(count);
		expect(existing).toEqual(own);
	});

	it('may be unknown, and then the case is not written', async () => {
		await expect(planned(undefined)).rejects.toMatchObject({
			message: 'The service returned case 7 without its actions',
			details: { description: expect.stringContaining('so the case was not written') },
		});
	});
});

describe('Button texts that may get lost', () => {
	const unknown = [actionOf('a'), actionOf('b', KNOWN)];

	it('are refused, and their actions are named', async () => {
		const refusal = await planned(unknown).catch((error: unknown) => error);
		expect(refusal).toBeInstanceOf(InvalidInput);
		expect(refusal).toMatchObject({
			message: 'Case 7 has other actions, and their button texts may get lost: "a"',
			description: expect.stringMatching(/'Allow Losing Button Texts'.*'Read Button Texts'/),
		});
	});

	it('may be accepted', async () => {
		const { kept, labels, requests } = await planned(unknown, { acceptTextLoss: true });
		expect(kept.losingText).toEqual([unknown[0]]);
		expect(labels).toEqual(['a', 'b', 'new']);
		expect(requests).toBe(0);
	});

	it('are none where their action is taken away', async () => {
		const { client } = answering(() => undefined);
		const keeping = { caseId: '7', acceptTextLoss: false, readButtonTexts: false };
		const { actions } = await planKeeping(client, keeping, { actions: unknown }, (existing) =>
			planDelete('7', existing, ({ label }) => label === 'a'),
		);
		expect(actions.map(({ label }) => label)).toEqual(['b']);
	});
});
