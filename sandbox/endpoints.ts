import { createWebhook, deleteWebhook, visibleWebhooks, WEBHOOK } from './caseWebhooks';
import * as writes from './caseWrites';
import { deviatingRows } from './deviations';
import { TEAMS } from './directory';
import { ApiError } from './errors';
import { BULK_ROUTES, FIELD_ROUTES } from './fields';
import { FILE_ROUTES } from './files';
import type { GrownTrait } from './grown';
import { LINK_ROUTES } from './links';
import { PAGE_PARAMETERS, TEAM_PARAMETERS } from './params';
import { listCases, mayRead, visibleTeam } from './query';
import { RECORD_LINK_ROUTES, RECORD_ROUTES } from './records';
import {
	CASE,
	CASES,
	list,
	listOfCase,
	listOfTeams,
	request,
	requestOfCase,
	type Endpoint,
	type Method,
	type Routes,
} from './requests';
import * as json from './serialize';
import type { CaseContext, Context } from './service';
import { SETTING_ROUTES } from './settings';
import { TASK_ROUTES } from './tasks';
import type { CaseQuery } from './types';

const WEBHOOKS = '/api/v1/case_webhooks';

const casesEndpoint = list(
	'cases',
	({ service }) => service.baseUrl + CASES,
	undefined,
	({ service, access }, query) => {
		if (query.team_id !== undefined) visibleTeam(access, query.team_id);
		const { store, deviations } = service;
		const page = listCases(store, query, access, service);
		const rows = page.rows.map((one) => json.caseJson(one, service));
		return { page, items: deviatingRows(deviations, 'cases', rows) };
	},
);

const commentsOf = ({ service, found }: CaseContext) => {
	const comments = found.activities().filter(({ activity_type }) => activity_type === 'COMMENTED');
	return service.commentsOrder === 'newest' ? comments.reverse() : comments;
};

const visibleTeams = ({ access }: Context) => TEAMS.filter(({ id }) => mayRead(access, id));

/** The tags of teams that the key may see; one that no case has belongs to all of them. */
function visibleTags(context: Context, { team_id }: CaseQuery): object[] {
	const { store } = context.service;
	if (team_id !== undefined) visibleTeam(context.access, team_id);
	const cases = [...store.cases()];
	return store
		.tags()
		.map((tag) => {
			const used = cases.filter((one) => one.tags.some(({ id }) => id === tag.id));
			const isUsedIn = (id: number) => used.length === 0 || used.some(({ team }) => team.id === id);
			const teams = visibleTeams(context).filter(({ id }) => isUsedIn(id));
			return { ...tag, color: 'default', teams };
		})
		.filter(({ teams }) => teams.some(({ id }) => team_id === undefined || id === team_id));
}

/** What each service of version 2 has. */
const BASE: Routes = {
	[`GET ${CASES}`]: casesEndpoint,
	[`GET ${CASE}/comments`]: listOfCase('comments', commentsOf, (rows, { service }) =>
		rows.map((one) => json.commentJson(one, service.traits)),
	),
	[`PUT ${CASE}/actions/batch`]: requestOfCase(writes.actionsBody, writes.replaceActions),
	[`GET ${CASE}/activities`]: listOfCase(
		'activities',
		({ found }) => found.activities(),
		(rows, { service, found }) => rows.map((one) => json.activityJson(one, service, found.case_id)),
	),
	[`GET ${CASE}/records`]: listOfCase(
		'records',
		({ found }) => json.recordEntries(found),
		(rows, { service }) => json.recordRows(rows, service.traits),
	),
	[`GET ${CASE}/actions`]: listOfCase(
		'actions',
		({ found }) => found.actions(),
		(rows, { found }) => rows.map((one) => json.singleActionJson(one, found.case_id)),
	),
	[`POST ${CASE}/actions`]: requestOfCase(writes.ACTION, writes.addAction),
	[`PUT ${CASE}/actions/:actionId`]: requestOfCase(writes.ACTION.partial(), writes.updateAction),
	[`DELETE ${CASE}/actions/:actionId`]: requestOfCase(undefined, writes.deleteAction),
};

const GROWN: Partial<Record<GrownTrait, Routes>> = {
	'case-writes': {
		[`POST ${CASES}`]: request(writes.CREATION, writes.createCase),
		[`GET ${CASE}`]: requestOfCase(undefined, ({ service, found }) =>
			json.caseJson(found, service),
		),
		[`PUT ${CASE}`]: requestOfCase(writes.UPDATE, writes.updateCase),
		[`POST ${CASE}/comments`]: requestOfCase(writes.COMMENT, writes.addComment),
		[`DELETE ${CASE}`]: requestOfCase(undefined, ({ service, found }) =>
			service.store.deleteCase(found.case_id),
		),
		[`PUT ${CASE}/comments/:commentId`]: requestOfCase(
			writes.CHANGED_COMMENT,
			writes.updateComment,
		),
		[`DELETE ${CASE}/comments/:commentId`]: requestOfCase(undefined, writes.deleteComment),
		...LINK_ROUTES,
		...RECORD_ROUTES,
		...FIELD_ROUTES,
		...FILE_ROUTES,
	},
	'newer-requests': { ...TASK_ROUTES, ...RECORD_LINK_ROUTES, ...BULK_ROUTES, ...SETTING_ROUTES },
	'teams-and-tags': {
		'GET /api/v1/teams': listOfTeams('/api/v1/teams', 'teams', PAGE_PARAMETERS, visibleTeams),
		'GET /api/v1/tags': listOfTeams('/api/v1/tags', 'tags', TEAM_PARAMETERS, visibleTags),
	},
	'case-webhooks': {
		[`GET ${WEBHOOKS}`]: listOfTeams(WEBHOOKS, 'webhooks', TEAM_PARAMETERS, (context, query) =>
			visibleWebhooks(context, query.team_id),
		),
		[`POST ${WEBHOOKS}`]: request(WEBHOOK, createWebhook),
		[`DELETE ${WEBHOOKS}/:webhookId`]: request(undefined, deleteWebhook),
	},
};

function routesIn(routes: Routes, trait?: string) {
	return Object.entries(routes).map(([route, served]) => {
		const [method, path] = route.split(' ') as [Method, string];
		const endpoint: Endpoint = (service, given) => {
			if (trait === undefined || service.traits.has(trait as GrownTrait)) {
				return served(service, given);
			}
			// Any service may be asked for what a form offers, and an older one for what came later.
			const isBreach = trait === 'case-writes' && path.startsWith(CASES);
			throw new ApiError(404, `There is no ${route}`, isBreach);
		};
		return { method, path, endpoint };
	});
}

/** Every operation of the service. */
export const ROUTES = [
	...routesIn(BASE),
	...Object.entries(GROWN).flatMap(([trait, routes]) => routesIn(routes, trait)),
];
