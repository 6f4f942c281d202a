import { replyTo } from '../../../../nodes/Cases/resources/action/sendAndWait/reply';

const YES = { choice: 'yes', text: 'Yes', approved: null };
const NO = { choice: 'no', text: 'No', approved: null };
const QUESTION = { caseId: '7', message: 'Isolate?', isPage: false, ids: ['1', '2'] };
const EACH = [YES, NO].map((answer, index) => ({ key: `k-${index}`, answers: [answer] }));
const PAGE = [{ key: 'k-0', answers: [YES, NO] }];
const press = (key: string, body: unknown = {}) => ({ isPost: true, parameters: { key }, body });
/** The page of a question, and the page after an answer. */
const pagesOf = (question: Record<string, unknown>) =>
	[false, true].map((isPost) => replyTo({ ...press('k-0'), isPost }, question).page);

it.each<[string, object[], unknown, string | undefined]>([
	['k-1', EACH, {}, 'no'],
	['k-1', EACH, { answer: '0' }, 'no'],
	['other', EACH, { answer: '0' }, undefined],
	['k-0', PAGE, { answer: '1' }, 'no'],
	['k-0', PAGE, { answer: '2' }, undefined],
	['k-0', PAGE, { answer: '__proto__' }, undefined],
	['k-0', PAGE, 'text', undefined],
	['k-0', PAGE, undefined, undefined],
])('A press of %s of the buttons %j with the body %j answers %j', (key, buttons, body, choice) => {
	const { answered } = replyTo(press(key, body), { ...QUESTION, buttons });
	expect((answered?.output.data as { choice: string } | undefined)?.choice).toBe(choice);
});

it.each([
	[{ user: { id: 7 } }, { id: 7 }, null, { user: { id: 7 } }],
	[{ message: 'ok', button: { id: 1, url: 'u' } }, null, 'ok', { button: { id: 1 } }],
	[{ case: { id: 1, actions: [{ url: 'u' }] } }, null, null, { case: { id: 1 } }],
	['text', null, null, {}],
	[undefined, null, null, {}],
])('What is posted reaches the output: %j', (posted, responder, message, body) => {
	const { answered } = replyTo(press('k-0', posted), { ...QUESTION, buttons: EACH });
	expect(answered?.output).toMatchObject({ data: { responder, message }, body });
	expect(JSON.stringify(answered?.output)).not.toContain('url');
});

it('A page has no responder, whatever is posted to it', () => {
	const posted = { answer: '1', user: { id: 7 } };
	const question = { ...QUESTION, isPage: true, buttons: PAGE };
	const { answered } = replyTo(press('k-0', posted), question);
	expect(answered?.output).toMatchObject({ data: { choice: 'no', responder: null }, body: posted });
});

it('A page shows every text as text', () => {
	const evil = `"><script>alert('x')</script>&amp;`;
	const answers = [{ ...YES, text: evil }];
	const caseUrl = `https://acme.example/${evil}`;
	const ofCase = { caseId: evil, caseName: evil, caseUrl };
	const buttons = [{ key: 'k-0', answers }];
	for (const html of pagesOf({ ...QUESTION, ...ofCase, message: evil, buttons })) {
		expect(html).not.toContain('<script');
		expect(html).toContain('&#34;&#62;&#60;script&#62;alert(&#39;x&#39;)');
	}
});

it.each([
	['https://acme.example/cases/7', '<a href="https://acme.example/cases/7">Open case 7</a>'],
	['javascript:alert(1)', ''],
	[undefined, ''],
])('The pages of a case with the URL %s have the link %j', (caseUrl, link) => {
	const pages = pagesOf({ ...QUESTION, caseName: 'Mail', caseUrl, buttons: EACH });
	expect(pages[0]).toContain('<h1>Case 7: Mail</h1>');
	for (const html of pages) {
		expect(/<a .*<\/a>/.exec(html)?.[0] ?? '').toBe(link);
	}
});
