import { Html, html } from './html';
import type { Press } from './presses';
import type { CaseStore } from './store';
import type { Action, Case, Team, User } from './types';

/** The pages that a person sees in a browser: a list of cases, and a case with its buttons. */

const MOST_CASES = 50;
const MOST_COMMENTS = 5;

/** The cases edited last, of all teams or of one. @param prefix of all paths of the service */
export function casesPage(store: CaseStore, prefix: string, teamId?: number): Html {
	const all = [...store.cases()].filter(({ team }) => teamId === undefined || team.id === teamId);
	const shown = all
		.sort((a, b) => (a.updated_at < b.updated_at ? 1 : a.updated_at > b.updated_at ? -1 : 0))
		.slice(0, MOST_CASES);
	const note = shown.length < all.length ? `the ${shown.length} edited last of ` : '';
	return page(
		'Cases',
		html`<h1>Cases</h1>
			<p class="quiet">${note}${all.length} cases${teamName(all, teamId)}</p>
			<table>
				<thead>
					<tr>
						<th>Case</th>
						<th>Name</th>
						<th>Status</th>
						<th>Priority</th>
						<th>Assignees</th>
						<th>Edited</th>
					</tr>
				</thead>
				<tbody>
					${shown.map(
						(one) =>
							html`<tr>
								<td>${one.case_id}</td>
								<td><a href="${prefix}/cases/${one.case_id}">${one.name}</a></td>
								<td>${badge(one.status)}</td>
								<td>${badge(one.priority)}</td>
								<td>${one.assignees.map(nameOf).join(', ')}</td>
								<td>${timeOf(one.updated_at)}</td>
							</tr>`,
					)}
				</tbody>
			</table>`,
	);
}

function teamName(cases: readonly Case[], teamId?: number): string {
	const team: Team | undefined = teamId === undefined ? undefined : cases[0]?.team;
	return team ? ` of ${team.name}` : '';
}

/**
 * A case with its buttons and what came of pressing them.
 *
 * @param presses of this case
 */
export function casePage(
	store: CaseStore,
	prefix: string,
	found: Case,
	presses: readonly Press[],
): Html {
	const comments = store.comments(found.case_id);
	return page(
		`Case ${found.case_id}: ${found.name}`,
		html`<p class="quiet"><a href="${prefix}/cases">Cases</a> / ${found.case_id}</p>
			<h1>${found.name}</h1>
			<p>
				${badge(found.status)} ${badge(found.priority)}
				<span class="quiet">${found.team.name}</span>
			</p>
			<p>${found.description}</p>
			<dl>
				<dt>Assignees</dt>
				<dd>${found.assignees.map(nameOf).join(', ') || '–'}</dd>
				<dt>Tags</dt>
				<dd>
					${found.tags.length > 0
						? found.tags.map(({ name }) => html`<span class="tag">${name}</span> `)
						: '–'}
				</dd>
				<dt>Created</dt>
				<dd>${timeOf(found.created_at)}</dd>
				<dt>Edited</dt>
				<dd>${timeOf(found.updated_at)}</dd>
			</dl>
			<h2>Actions</h2>
			${buttons(store, prefix, found)}
			${presses.length > 0 &&
			html`<h2>Pressed</h2>
				<ul class="log">
					${[...presses].reverse().map(pressed)}
				</ul>`}
			${comments.length > 0 && html`<h2>Comments</h2>`}
			<ul class="log">
				${comments
					.slice(-MOST_COMMENTS)
					.map(
						({ value, user, created_at }) =>
							html`<li>
								<b>${nameOf(user)}</b> <span class="quiet">${timeOf(created_at)}</span
								><br />${value}
							</li>`,
					)}
			</ul>`,
	);
}

function buttons(store: CaseStore, prefix: string, found: Case): Html {
	const actions = found.actions();
	if (actions.length === 0) return html`<p class="quiet">This case has no buttons.</p>`;
	const people = store.users().filter(({ is_service_account }) => !is_service_account);
	return html`<form method="post" action="${prefix}/cases/${found.case_id}/press">
		<!-- Enter in the message would press the first button; this one does nothing. -->
		<button disabled hidden></button>
		<p>${actions.map(button)}</p>
		<p class="quiet">
			<label
				>Press as
				<select name="user">
					${people.map((user) => html`<option value="${user.user_id}">${nameOf(user)}</option>`)}
				</select></label
			>
			<label>with the message <input name="message" /></label>
		</p>
	</form>`;
}

function button({ id, url, label, action_type, action_text }: Action): Html {
	const text = html`${label}${action_text && html` <small>${action_text}</small>`}`;
	// A URL of another kind could run a script.
	if (action_type === 'page' && /^https?:/i.test(url)) {
		return html`<a class="button" href="${url}" target="_blank" rel="noopener noreferrer"
			>${text} ↗</a
		> `;
	}
	return html`<button class="button" name="action" value="${id}" title="${url}">${text}</button> `;
}

function pressed({ label, sent, pressed_at, status, answer, error }: Press): Html {
	const outcome = status === undefined ? (error ?? 'waiting for an answer') : `answered ${status}`;
	return html`<li>
		<b>${label}</b> by ${nameOf(sent.user)}
		<span class="quiet">${timeOf(pressed_at)}, ${outcome}</span>
		${answer &&
		html`<details>
			<summary>Answer</summary>
			<pre>${answer}</pre>
		</details>`}
	</li>`;
}

function nameOf({ first_name, last_name }: Pick<User, 'first_name' | 'last_name'>): string {
	return `${first_name} ${last_name}`;
}

function timeOf(timestamp: string): string {
	return timestamp.replace('T', ' ').replace(/(\.\d+)?Z$/, ' UTC');
}

function badge(text: string): Html {
	return html`<span class="badge ${text.toLowerCase()}">${text}</span>`;
}

const STYLE = new Html(`
	:root { color-scheme: light; }
	body { margin: 0; background: #f4f5f7; color: #1c2430; font: 15px/1.5 system-ui, sans-serif; }
	main { max-width: 46rem; margin: 2rem auto; padding: 1.5rem 2rem 2rem; background: #fff;
		border: 1px solid #e1e4ea; border-radius: 12px; }
	h1 { margin: 0.25rem 0 0.75rem; font-size: 1.5rem; line-height: 1.25; }
	h2 { margin: 1.75rem 0 0.5rem; font-size: 1rem; }
	a { color: #3457d5; text-decoration: none; }
	dl { display: grid; grid-template-columns: 7rem 1fr; gap: 0.25rem 1rem; margin: 1rem 0 0; }
	dt, .quiet { color: #667085; }
	dd { margin: 0; }
	table { width: 100%; border-collapse: collapse; }
	th, td { padding: 0.4rem 0.6rem 0.4rem 0; border-bottom: 1px solid #eef0f4; text-align: left; vertical-align: top; }
	.badge, .tag { display: inline-block; padding: 0 0.55rem; border-radius: 999px; background: #eef0f4;
		font-size: 0.8rem; line-height: 1.5rem; }
	.badge.open { background: #dcf5e7; color: #14653c; }
	.badge.critical { background: #fde2e1; color: #8f1d18; }
	.badge.high { background: #feecd5; color: #8a4b0b; }
	.button { display: inline-block; margin: 0 0.35rem 0.5rem 0; padding: 0.45rem 0.9rem; border: 1px solid #cfd4de;
		border-radius: 8px; background: #fff; color: #1c2430; font: inherit; cursor: pointer; }
	.button:hover { border-color: #3457d5; background: #f3f6ff; }
	select, input { padding: 0.2rem 0.4rem; border: 1px solid #cfd4de; border-radius: 6px; background: #fff; font: inherit; }
	.log { margin: 0; padding: 0; list-style: none; }
	.log li { padding: 0.5rem 0; border-top: 1px solid #eef0f4; }
	pre { overflow: auto; max-height: 12rem; padding: 0.5rem; background: #f4f5f7; white-space: pre-wrap; }
`);

function page(title: string, content: Html): Html {
	return html`<!doctype html>
		<html lang="en">
			<head>
				<meta charset="utf-8" />
				<meta name="viewport" content="width=device-width" />
				<title>${title}</title>
				<style>
					${STYLE}
				</style>
			</head>
			<body>
				<main>${content}</main>
			</body>
		</html>`;
}
