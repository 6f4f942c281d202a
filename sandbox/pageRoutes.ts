import type { FastifyInstance, FastifyReply } from 'fastify';
import type { Html } from './html';
import { casePage, casesPage } from './pages';
import type { Presses } from './presses';
import type { CaseStore } from './store';

interface PageContext {
	store: CaseStore;
	presses: Presses;
	/** Path before all others, e.g. `/tenant-a`. */
	prefix: string;
}

declare module 'fastify' {
	interface FastifyContextConfig {
		/** A page for a person: not part of the API, so it needs no key and isn't recorded. */
		isPage?: boolean;
	}
}

/** Adds the pages for a browser: `/cases`, `/team/<id>/cases` and `/cases/<id>`, whose buttons can be pressed. */
export function registerPages(app: FastifyInstance, { store, presses, prefix }: PageContext): void {
	const config = { isPage: true };
	const caseIn = (params: unknown) => store.findCase(Number((params as { id: string }).id));

	app.get(`${prefix}/cases`, { config }, (_request, reply) =>
		show(reply, casesPage(store, prefix)),
	);
	app.get(`${prefix}/team/:id/cases`, { config }, (request, reply) =>
		show(reply, casesPage(store, prefix, Number((request.params as { id: string }).id))),
	);
	app.get(`${prefix}/cases/:id`, { config }, (request, reply) => {
		const found = caseIn(request.params);
		if (!found) return notFound(reply);
		const ofCase = presses.all.filter(({ case_id }) => case_id === found.case_id);
		return show(reply, casePage(store, prefix, found, ofCase));
	});
	app.post(`${prefix}/cases/:id/press`, { config }, async (request, reply) => {
		const found = caseIn(request.params);
		const form = new URLSearchParams(String(request.body));
		const action = found?.actions().find(({ id }) => String(id) === form.get('action'));
		if (!found || !action) return notFound(reply);
		await presses.press(found.case_id, action.label, {
			url: action.url,
			user_id: Number(form.get('user') ?? 1),
			message: form.get('message') ?? '',
		});
		return reply.redirect(`${prefix}/cases/${found.case_id}`, 303);
	});
}

function show(reply: FastifyReply, page: Html): FastifyReply {
	return reply.type('text/html; charset=utf-8').send(page.text);
}

function notFound(reply: FastifyReply): FastifyReply {
	return reply.code(404).type('text/plain').send('There is no such case or button');
}
