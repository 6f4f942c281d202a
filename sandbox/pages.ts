import type { FastifyInstance, FastifyReply } from 'fastify';
import { postJson } from './caseWebhooks';
import { USERS } from './directory';
import { fieldRows, linkedCases, recordEntries, subStatusOf } from './serialize';
import type { Service } from './service';
import type { CaseInput, CaseStore, CommentInput } from './store';
import type { Action, Case, User } from './types';

/** The path of the requests for a person at a terminal. */
export const CONTROL_PATH = '/__sandbox';
const MOST_CASES = 50;

declare module 'fastify' {
	interface FastifyContextConfig {
		/** Not part of the API: it needs no key and isn't recorded, limited or hit by faults. */
		isForPeople?: boolean;
	}
}

/**
 * Adds what people need: in a browser the cases under `/cases`, and under `/cases/<id>` a case whose buttons can be
 * pressed; at a terminal requests that change the store and are answered with the case in one line.
 */
export function registerPages(app: FastifyInstance, service: Service, prefix: string): void {
	const { store } = service;
	const config = { isForPeople: true };
	const idIn = (params: unknown) => Number((params as { id?: string }).id);
	const show = (reply: FastifyReply, page: Html) => reply.type('text/html').send(page.text);

	app.get(`${prefix}/cases`, { config }, (_request, reply) =>
		show(reply, casesPage([...store.cases()], prefix)),
	);
	app.get(`${prefix}/cases/:id`, { config }, (request, reply) =>
		show(reply, casePage(store, idIn(request.params), prefix)),
	);
	app.post(`${prefix}/cases/:id/press`, { config }, async (request, reply) => {
		const found = store.getCase(idIn(request.params));
		const form = new URLSearchParams(String(request.body));
		const action = found.actions().find(({ id }) => String(id) === form.get('action'));
		if (!action) throw new Error(`Case ${found.case_id} has no such button`);
		const person = store.user(Number(form.get('user') ?? 1));
		await press(service, found, action, person, form.get('message') ?? '');
		return reply.redirect(`${prefix}/cases/${found.case_id}`, 303);
	});

	const on = <Body>(path: string, change: (body: Body, id: number) => number) =>
		app.post(CONTROL_PATH + path, { config }, (request, reply) => {
			const body = JSON.parse(String(request.body)) as Body;
			const { case_id, status, priority, name } = store.getCase(change(body, idIn(request.params)));
			const comments = store.comments(case_id).length;
			const line = `Case ${case_id} (${status}, ${priority}): ${name}, comments: ${comments}\n`;
			return reply.type('text/plain').send(line);
		});
	on('/cases', (body: CaseInput) => store.createCase(body).case_id);
	on('/cases/:id/close', (body: object, id) => store.closeCase(id, body).case_id);
	on('/cases/:id/comments', ({ value, ...input }: CommentInput & { value: string }, id) => {
		store.addComment(id, value, input);
		return id;
	});
}

/** Posts to the URL of a webhook button what the living service posts. @throws Error without an answer */
async function press(
	{ baseUrl }: Service,
	{ case_id, name, status, priority }: Case,
	{ id, url, label, action_type, query_params = {} }: Action,
	{ user_id, first_name, last_name, email }: User,
	message: string,
): Promise<void> {
	const target = new URL(url);
	for (const pair of Object.entries(query_params)) target.searchParams.append(...pair);
	await postJson(target, {
		...query_params,
		user: { id: user_id, first_name, last_name, email },
		button: { id, label, type: action_type, url },
		case: { id: case_id, name, status, priority, url: `${baseUrl}/cases/${case_id}` },
		message,
	});
}

/** Text that is HTML already. */
class Html {
	constructor(readonly text: string) {}
}
type Content = Html | string | number | null | readonly Content[];

/** A template whose values are escaped, unless they are HTML already. */
const html = (strings: TemplateStringsArray, ...values: Content[]): Html =>
	new Html(String.raw({ raw: strings }, ...values.map(escaped)));

function escaped(value: Content): string {
	if (value instanceof Html) return value.text;
	if (Array.isArray(value)) return value.map(escaped).join('');
	return String(value ?? '').replace(/[&<>"']/g, (one) => `&#${one.charCodeAt(0)};`);
}

function casesPage(cases: Case[], prefix: string): Html {
	const shown = cases
		.sort((a, b) => Date.parse(b.updated_at) - Date.parse(a.updated_at))
		.slice(0, MOST_CASES);
	return page(
		'Cases',
		html`<h1>Cases</h1>
			<p class="quiet">${cases.length} cases, of which those edited last are shown</p>
			<ul>
				${shown.map(
					({ case_id, name, status, priority }) =>
						html`<li>
							${case_id} <a href="${prefix}/cases/${case_id}">${name}</a>
							${badge(status)} ${badge(priority)}
						</li>`,
				)}
			</ul>`,
	);
}

function casePage(store: CaseStore, caseId: number, prefix: string): Html {
	const found = store.getCase(caseId);
	const fields = fieldRows(found.fields()).map((one) => `${one.case_input.name}: ${one.value}`);
	const metadata = Object.entries(found.metadata).map(([key, value]) => `${key}: ${String(value)}`);
	const files = found.activities().flatMap(({ file }) => file?.filename ?? []);
	const linked = linkedCases(store, found);
	return page(
		`Case ${found.case_id}: ${found.name}`,
		html`<p class="quiet"><a href="${prefix}/cases">Cases</a> / ${found.case_id}</p>
			<h1>${found.name}</h1>
			<p>
				${badge(found.status)} ${badge(subStatusOf(found).name)} ${badge(found.priority)}
				<span class="quiet">${found.team.name}</span>
			</p>
			<p>${found.description}</p>
			<p><span class="quiet">Assignees</span> ${found.assignees.map(nameOf).join(', ') || '–'}</p>
			<p>${found.tags.map(({ name }) => badge(name))}</p>
			<h2>Actions</h2>
			${found.actions().length > 0 ? buttons(found, prefix) : 'This case has none.'}
			${line('Metadata', metadata)} ${line('Fields', fields)} ${line('Files', files)}
			${rows('Tasks', found.tasks(), ({ completed, description, assignees }) => {
				return html`${completed ? '☑' : '☐'} ${description} ${assignees.map(nameOf).join(', ')}`;
			})}
			${rows('Linked cases', linked, ({ case_id, name }) => {
				return html`${case_id} <a href="${prefix}/cases/${case_id}">${name}</a>`;
			})}
			${rows('Records', recordEntries(found), ({ group, entry }) => {
				const values = entry.results.map(({ name, value }) => `${name} ${value}`);
				return html`<b>${group.record_type_name}</b> ${values.join(', ')}`;
			})}
			<h2>Comments</h2>
			<ul>
				${store
					.comments(caseId)
					.map(({ value, user }) => html`<li><b>${nameOf(user)}</b><br />${value}</li>`)}
			</ul>`,
	);
}

const line = (name: string, values: string[]) =>
	html`${values.length > 0
		? html`<p><span class="quiet">${name}</span> ${values.join(', ')}</p>`
		: ''}`;

/** A headed list, if there is something in it. */
const rows = <Row>(heading: string, all: readonly Row[], toHtml: (row: Row) => Html) =>
	html`${all.length > 0
		? html`<h2>${heading}</h2>
				<ul>
					${all.map((one) => html`<li>${toHtml(one)}</li>`)}
				</ul>`
		: ''}`;

function buttons(found: Case, prefix: string): Html {
	const people = USERS.filter(({ is_service_account }) => !is_service_account);
	return html`<form method="post" action="${prefix}/cases/${found.case_id}/press">
		<!-- Enter in the message would press the first button; this one does nothing. -->
		<button disabled hidden></button>
		<p>${found.actions().map(button)}</p>
		<p class="quiet">
			<label
				>Press as
				<select name="user">
					${people.map((one) => html`<option value="${one.user_id}">${nameOf(one)}</option>`)}
				</select></label
			>
			<label>with the message <input name="message" /></label>
		</p>
	</form>`;
}

function button({ id, url, label, action_type, action_text }: Action): Html {
	const text = html`${label} <small>${action_text}</small>`;
	if (action_type === 'page') return html`<a class="button" href="${url}">${text} ↗</a> `;
	return html`<button class="button" name="action" value="${id}" title="${url}">${text}</button> `;
}

const nameOf = ({ first_name, last_name }: User) => `${first_name} ${last_name}`;

const badge = (text: string) => html`<span class="badge ${text.toLowerCase()}">${text}</span> `;

const STYLE = new Html(`
	body { margin: 0; background: #f4f5f7; color: #1c2430; font: 15px/1.5 system-ui, sans-serif; }
	main { max-width: 46rem; margin: 2rem auto; padding: 1.5rem 2rem 2rem; background: #fff; border-radius: 12px; }
	h1 { margin: 0.25rem 0 0.75rem; font-size: 1.5rem; line-height: 1.25; }
	h2 { margin: 1.75rem 0 0.5rem; font-size: 1rem; }
	a { color: #3457d5; text-decoration: none; }
	ul { margin: 0; padding: 0; list-style: none; }
	li { padding: 0.5rem 0; border-top: 1px solid #eef0f4; }
	.quiet { color: #667085; }
	.badge { padding: 0.1rem 0.55rem; border-radius: 999px; background: #eef0f4; font-size: 0.8rem; }
	.badge.open { background: #dcf5e7; color: #14653c; }
	.badge.critical { background: #fde2e1; color: #8f1d18; }
	.button { display: inline-block; margin: 0 0.35rem 0.5rem 0; padding: 0.45rem 0.9rem; border: 1px solid #cfd4de;
		border-radius: 8px; background: #fff; color: #1c2430; font: inherit; cursor: pointer; }
`);

const page = (title: string, content: Html) =>
	html`<!doctype html>
		<html lang="en">
			<head>
				<meta charset="utf-8" />
				<title>${title}</title>
				<style>
					${STYLE}
				</style>
			</head>
			<body>
				<main>${content}</main>
			</body>
		</html>`;
