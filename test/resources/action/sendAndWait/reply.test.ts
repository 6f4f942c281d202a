import {
	acceptedPage,
	questionPage,
} from '../../../../nodes/Cases/resources/action/sendAndWait/page';
import {
	actionsOf,
	type Question,
} from '../../../../nodes/Cases/resources/action/sendAndWait/question';
import { replyTo } from '../../../../nodes/Cases/resources/action/sendAndWait/webhook';

const QUESTION: Question = {
	caseId: '7',
	message: 'Isolate?',
	answers: [
		{ choice: 'yes', text: 'Yes', approved: null },
		{ choice: 'no', text: 'No', approved: null },
	],
	isPage: false,
	keys: ['k-0', 'k-1'],
	ids: ['1', '2'],
	keepButtons: false,
};
let questions = 0;
/** A question of its own: what was answered is remembered. */
const newQuestion = (more: Partial<Question> = {}): Question => {
	const n = questions++;
	return { ...QUESTION, keys: QUESTION.keys.map((key) => `${key}-${n}`), ...more };
};
const press = (key: string, body: unknown = {}) => ({ isPost: true, parameters: { key }, body });
const never = async () => await Promise.resolve(false);

it('The buttons of a question have its message as their label, and a key in their URL', () => {
	const sign = ({ key }: Record<string, string>) => `https://n8n.example/?key=${key}`;
	const button = { label: 'Isolate?', action_type: 'webhook' };
	expect(actionsOf(QUESTION, sign)).toEqual([
		{ ...button, url: 'https://n8n.example/?key=k-0', action_text: 'Yes' },
		{ ...button, url: 'https://n8n.example/?key=k-1', action_text: 'No' },
	]);
	expect(actionsOf({ ...QUESTION, isPage: true, keys: ['k'] }, sign)).toEqual([
		{ ...button, url: 'https://n8n.example/?key=k', action_type: 'page', action_text: 'Review' },
	]);
});

it.each<[number | string, boolean, unknown, string | undefined]>([
	[1, false, {}, 'no'],
	[1, false, { answer: '0' }, 'no'],
	['other', false, { answer: '0' }, undefined],
	[0, true, { answer: '1' }, 'no'],
	[0, true, { answer: '2' }, undefined],
	[0, true, { answer: '__proto__' }, undefined],
	[0, true, 'text', undefined],
	[0, true, undefined, undefined],
])(
	'A press of button %j (a page: %j) with the body %j answers %j',
	async (at, isPage, body, choice) => {
		const question = newQuestion({ isPage });
		const key = typeof at === 'number' ? question.keys[at] : at;
		const output = await replyTo(press(key, body), { ...question }).output?.(never);
		expect((output?.data as { choice: string } | undefined)?.choice).toBe(choice);
	},
);

it.each([
	[{ user: { id: 7 } }, { id: 7 }, { user: { id: 7 } }],
	['text', null, {}],
	[undefined, null, {}],
])('What is posted reaches the output: %j', async (posted, responder, body) => {
	const question = newQuestion();
	const { output } = replyTo(press(question.keys[0], posted), { ...question });
	expect(await output?.(never)).toMatchObject({ data: { responder }, body });
});

it('A page shows every text as text', () => {
	const evil = `"><script>alert('x')</script>&amp;`;
	const answers = [{ ...QUESTION.answers[0], text: evil }];
	const question = { ...QUESTION, message: evil, caseId: evil, answers };
	for (const html of [questionPage(question, 0), acceptedPage(answers[0])]) {
		expect(html).not.toContain('<script');
		expect(html).toContain('&#34;&#62;&#60;script&#62;alert(&#39;x&#39;)');
	}
});

it('A click while another one is worked on is told that nothing more is needed', async () => {
	const question = newQuestion();
	const [yes, no] = question.keys;
	const first = replyTo(press(yes), { ...question });
	const second = replyTo(press(no), { ...question });
	expect(first.page).toContain('Answer received');
	expect(second).toEqual({ page: expect.stringContaining('No answer needed') as string });
	expect(await first.output?.(never)).toMatchObject({ data: { choice: 'yes' }, cleaned: false });
	// n8n calls the question waiting until the execution continues.
	expect(replyTo(press(no), { ...question })).toEqual(second);
});
