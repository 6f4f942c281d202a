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
const press = (key: string, body: unknown = {}) => ({ isPost: true, parameters: { key }, body });

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
])('A press of button %j (a page: %j) with the body %j answers %j', (at, isPage, body, choice) => {
	const key = typeof at === 'number' ? QUESTION.keys[at] : at;
	const { answered } = replyTo(press(key, body), { ...QUESTION, isPage });
	expect((answered?.output.data as { choice: string } | undefined)?.choice).toBe(choice);
});

it.each([
	[{ user: { id: 7 } }, { id: 7 }, { user: { id: 7 } }],
	['text', null, {}],
	[undefined, null, {}],
])('What is posted reaches the output: %j', (posted, responder, body) => {
	const { answered } = replyTo(press('k-0', posted), { ...QUESTION });
	expect(answered?.output).toMatchObject({ data: { responder }, body });
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
