import { answerOf, capBody } from '../../../../nodes/Cases/resources/action/sendAndWait/answer';
import {
	acceptedPage,
	questionPage,
} from '../../../../nodes/Cases/resources/action/sendAndWait/page';
import {
	actionsOf,
	drawButtons,
	isOfQuestion,
	type Question,
} from '../../../../nodes/Cases/resources/action/sendAndWait/question';
import { replyTo } from '../../../../nodes/Cases/resources/action/sendAndWait/webhook';

const QUESTION: Question = {
	caseId: '7',
	nonce: 'n-1',
	message: 'Isolate?',
	answers: [
		{ choice: 'yes', text: 'Yes', approved: null },
		{ choice: 'no', text: 'No', approved: null },
	],
	buttons: ['0', '1'].map((answer) => ({ case: '7', nonce: 'n-1', answer, key: `k-${answer}` })),
	keepButtons: false,
};
const [YES] = QUESTION.buttons;
const sign = (parameters: Record<string, string>) =>
	`https://n8n.example/w/1/node?${new URLSearchParams(parameters)}`;

describe('The buttons of a question', () => {
	it('have its message as their label, and their answer, case, nonce and key in their URL', () => {
		expect(actionsOf(QUESTION, sign)).toEqual(
			['Yes', 'No'].map((action_text, index) => ({
				url: `https://n8n.example/w/1/node?case=7&nonce=n-1&answer=${index}&key=k-${index}`,
				label: 'Isolate?',
				action_type: 'webhook',
				action_text,
			})),
		);
		const buttons = [{ case: '7', nonce: 'n-1', key: 'k' }];
		expect(actionsOf({ ...QUESTION, buttons }, sign)).toMatchObject([
			{ url: 'https://n8n.example/w/1/node?case=7&nonce=n-1&key=k', action_text: 'Review' },
		]);
	});

	it('are one for each answer, or one for a page, each with a key of its own', () => {
		const key = expect.any(String) as string;
		const [page] = drawButtons(QUESTION, 'page');
		const [yes, no] = drawButtons(QUESTION, 'webhook');
		expect(page).toEqual({ case: '7', nonce: 'n-1', key });
		expect([yes, no]).toEqual(QUESTION.buttons.map((button) => ({ ...button, key })));
		expect(new Set([page.key, yes.key, no.key]).size).toBe(3);
	});

	it.each([
		[{ ...YES, signature: 's' }, true],
		[{ ...YES, case: '8' }, false],
		[{ ...YES, nonce: 'n-2' }, false],
		[{ ...YES, answer: '1' }, false],
		[{ case: '7', nonce: 'n-1', key: 'k-0' }, false],
		[{ case: '7', nonce: 'n-1', answer: '0' }, false],
		[{}, false],
	])('with %j answer the waiting question: %s', (parameters: Record<string, string>, isOf) => {
		expect(isOfQuestion(QUESTION, parameters)).toBe(isOf);
	});
});

it.each<[object, unknown, string | undefined]>([
	[{ answer: '1' }, {}, 'no'],
	[{ answer: '1' }, { answer: '0' }, 'no'],
	[{}, { answer: '0' }, 'yes'],
	[{}, { answer: '2' }, undefined],
	[{}, { answer: 0 }, undefined],
	[{}, { answer: '__proto__' }, undefined],
	[{}, 'text', undefined],
	[{}, undefined, undefined],
])('The URL %j with the body %j answers %j', (parameters, body, choice) => {
	expect(answerOf(QUESTION, parameters as never, body)?.choice).toBe(choice);
});

describe('What the service posts', () => {
	it('reaches the output as it is where it is short', () => {
		const body = { user: { email: 'a@b.example' }, message: 'x'.repeat(10_000) };
		expect(capBody(body)).toEqual(body);
	});

	it.each([
		['text', { value: 'text' }],
		[[{ user: 'Ana' }], { value: [{ user: 'Ana' }] }],
		[7, { value: 7 }],
		['', {}],
		[null, {}],
		[undefined, {}],
	])('reaches the output as an object where it is %j', (posted, body) => {
		expect(capBody(posted)).toEqual(body);
	});

	it.each([
		['a text', 'x'.repeat(5_000_000)],
		['a list', Array.from({ length: 9999 }, (_, n) => ({ n }))],
		['an object', { user: { id: 1 }, case: { description: 'x'.repeat(5_000_000) } }],
	])('reaches the output as truncated text where it is %s that is too long', (_what, posted) => {
		const capped = capBody(posted);
		expect(capped).toEqual({ truncated: true, text: expect.any(String) });
		expect(String(capped.text)).toHaveLength(20_000);
	});

	it('reaches the output without what is nested too deeply for JSON', () => {
		const deep = JSON.parse('['.repeat(50_000) + ']'.repeat(50_000)) as unknown;
		expect(capBody({ user: 'Ana', deep })).toEqual({ truncated: true, text: '' });
	});
});

it('A page shows every text as text', () => {
	const evil = `"><script>alert('x')</script>&amp;`;
	const question = {
		...QUESTION,
		message: evil,
		caseId: evil,
		answers: [{ ...QUESTION.answers[0], text: evil }],
	};
	for (const html of [questionPage(question), acceptedPage(question.answers[0])]) {
		expect(html).not.toContain('<script');
		expect(html).toContain('&quot;&gt;&lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt;&amp;amp;');
	}
});

describe('A click', () => {
	const press = (index: number) => ({
		isPost: true,
		parameters: QUESTION.buttons[index],
		body: {},
	});
	const never = async () => await Promise.resolve(false);

	it('while another one is worked on is told that nothing more is needed', async () => {
		const first = replyTo(press(0), { ...QUESTION });
		const second = replyTo(press(1), { ...QUESTION });
		expect(first.page).toContain('Answer received');
		expect(second).toEqual({ page: expect.stringContaining('No answer needed') as string });
		expect(await first.output?.(never)).toMatchObject({ data: { choice: 'yes' }, cleaned: false });
		// n8n calls the question waiting until the execution continues.
		expect(replyTo(press(1), { ...QUESTION })).toEqual(second);
	});
});
