import { listSearch, loadOptions } from '../../tools/engine/methods';
import type { Case } from '../../sandbox/types';
import { range } from '../support/runs';
import { CASES_NODE, expectNoKey, useSandboxes, useService } from '../support/service';

const service = useService({ cases: 118 });

const options = (fields = {}) => ({
	type: CASES_NODE,
	credentials: { casesApi: service.credential(fields) },
});
const search = async (filter?: string, paginationToken?: string, fields = {}) =>
	await listSearch({
		...options(fields),
		method: 'searchCases',
		path: 'parameters.caseId',
		filter,
		paginationToken: paginationToken as string,
	});
const values = (results: Array<{ value: unknown }>) => results.map(({ value }) => Number(value));

/** By the sandbox's data, after an entry for the blank filter. */
const TEAMS = [
	{ name: 'Any Team', value: '' },
	{ name: 'Cloud Platform', value: '5' },
	{ name: 'Compliance', value: '4' },
	{ name: 'Fraud', value: '3' },
	{ name: 'IT', value: '2' },
	{ name: 'SOC', value: '1' },
];

const wordOf = (text: string) => text[0] + text.slice(1).toLowerCase();

describe('the list of the case locator', () => {
	it('shows the newest cases with number, name, state, priority and a link to the browser', async () => {
		const { results } = await search();
		const newest = service.sandbox.store.getCase(118);
		expect(results[0]).toEqual({
			name: `#118 ${newest.name} · ${wordOf(newest.status)} · ${wordOf(newest.priority)}`,
			value: '118',
			url: `${service.sandbox.url}/cases/118`,
		});
		expect(service.sandbox.requests.map(({ query }) => query)).toEqual([
			{ order: 'CREATED_DESC', per_page: '50', page: '1' },
		]);
	});

	it('continues page by page to the end', async () => {
		const pages = [await search()];
		for (let token = pages[0].paginationToken; token !== undefined && pages.length < 10; ) {
			pages.push(await search(undefined, token as string));
			token = pages.at(-1)?.paginationToken;
		}
		expect(pages).toHaveLength(3);
		const seen = pages.flatMap(({ results }) => values(results));
		expect(seen.sort((a, b) => a - b)).toEqual(range(1, 118));
	});

	test.each(['#118', '#118 Port scan · Open', 'https://acme.example.com/cases/118?tab=1'])(
		'finds the case that %s names',
		async (typed) => {
			expect(values((await search(typed)).results)).toContain(118);
			expect(service.sandbox.requests[0].query.filters).toEqual({ search: '118' });
		},
	);

	it('searches in the service by what is typed, on further pages too', async () => {
		const found = [...service.sandbox.store.cases()].filter(({ name, description, case_id }) =>
			`${name}\n${description ?? ''}\n${case_id}`.toLowerCase().includes('phishing'),
		);
		expect(found.length).toBeGreaterThan(0);
		const { results } = await search(' phishing ');
		expect(values(results).sort((a, b) => a - b)).toEqual(found.map(({ case_id }) => case_id));
		await search('phishing', '2');
		expect(service.sandbox.requests.map(({ query }) => query)).toEqual([
			{ filters: { search: 'phishing' }, order: 'CREATED_DESC', per_page: '50', page: '1' },
			{ filters: { search: 'phishing' }, order: 'CREATED_DESC', per_page: '50', page: '2' },
		]);
	});

	it('has no link to what the browser shouldn’t open', async () => {
		const row = { case_id: 1, name: 'A', status: 'OPEN', priority: 'LOW' };
		const body = JSON.stringify({ cases: [{ ...row, url: 'javascript:alert(1)' }] });
		service.sandbox.faults.add({ fault: { kind: 'raw', status: 200, body } });
		expect((await search()).results).toEqual([{ name: '#1 A · Open · Low', value: '1' }]);
	});
});

describe('suggestions, from the newest cases', () => {
	const load = async (method: string, fields = {}) =>
		await loadOptions({ ...options(fields), method, path: 'parameters.filters' });
	const cases = () => [...service.sandbox.store.cases()];
	const distinct = (list: unknown[]) => [...new Set(list.map(String))].sort();
	const usersOf = ({ assignees, author, opened_by, resolved_by }: Case) =>
		[...assignees, author, opened_by, resolved_by].filter((user) => user !== null);

	it.each<[string, string, (row: Case) => unknown[]]>([
		['tags by name', 'getTags', ({ tags }) => tags.map(({ name }) => name)],
		[
			'types of activities by name',
			'getActivityTypes',
			(row) => row.activities().map(({ activity_type }) => activity_type),
		],
		[
			'types of records by name',
			'getRecordTypes',
			(row) => row.records().map(({ record_type_name }) => record_type_name),
		],
		['users with their ID', 'getUserIds', (row) => usersOf(row).map(({ user_id }) => user_id)],
		['users with their email', 'getUserEmails', (row) => usersOf(row).map(({ email }) => email)],
	])('%s', async (_what, method, valuesOf) => {
		const suggested = (await load(method)).map(({ value }) => value);
		expect(distinct(suggested)).toEqual(distinct(cases().flatMap(valuesOf)));
	});

	it('teams by name, with their ID as value, after an entry for the blank filter', async () => {
		expect(await load('getTeams')).toEqual(TEAMS);
	});

	it.each([
		['getUserIds', 'Ana Lindqvist', '1'],
		['getUserEmails', 'Ana Lindqvist <ana.lindqvist@example.com>', 'ana.lindqvist@example.com'],
	])('of %s are shown as %s', async (method, name, value) => {
		expect(await load(method)).toContainEqual(expect.objectContaining({ name, value }));
	});

	it('cost at most four pages of the newest cases, however many there are', async () => {
		const { store } = service.sandbox;
		for (let id = 1000; id < 1200; id++) store.createCase({ case_id: id, tags: ['young'] });
		const tags = await load('getTags');
		const [own, ...ofCases] = service.sandbox.requests;
		expect([own.path, own.status]).toEqual(['/api/v1/tags', 404]);
		expect(ofCases.map(({ query }) => query.page).sort()).toEqual(['1', '2', '3', '4']);
		expect(new Set(ofCases.map(({ query }) => query.order))).toEqual(new Set(['CREATED_DESC']));
		expect(tags).toEqual([{ name: 'young', value: 'young' }]);
		for (let id = 1000; id < 1200; id++) store.deleteCase(id);
	});

	it('that look the same have the email or the ID behind the name', async () => {
		const user = (user_id: string, last_name: string, email?: string) => ({
			user_id,
			first_name: 'Alex',
			last_name,
			email,
		});
		const body = JSON.stringify({
			cases: [
				{
					case_id: 1,
					team: { id: 1, name: 'Team 1' },
					assignees: [
						user('1', 'Kim', 'a@a.example'),
						user('2', 'Kim ', 'b@a.example'),
						user('3', 'Kim'),
					],
				},
				{
					case_id: 2,
					team: { id: 2, name: 'Team 1' },
					assignees: [user('4', 'Kim', 'a@a.example'), user('5', 'Lee', 'c@a.example')],
				},
			],
			meta: { pages: 1, per_page: 50 },
		});
		const namesOf = async (method: string) => {
			service.sandbox.faults.add({ fault: { kind: 'raw', status: 200, body } });
			return (await load(method)).map(({ name }) => name);
		};
		service.sandbox.faults.add({
			match: { path: '/api/v1/teams' },
			fault: { kind: 'status', status: 404 },
		});
		expect(await namesOf('getUserIds')).toEqual([
			'Alex Kim <3>',
			'Alex Kim <a@a.example> <1>',
			'Alex Kim <a@a.example> <4>',
			'Alex Kim <b@a.example>',
			'Alex Lee',
		]);
	});

	it('have no entry for cases that lack the fields', async () => {
		const body = JSON.stringify({
			cases: [{ case_id: 1, tags: null, team: null, assignees: 'x' }],
			meta: { pages: 1, per_page: 50 },
		});
		for (const method of ['getTags', 'getTeams', 'getUserIds', 'getUserEmails']) {
			service.sandbox.faults.add({ fault: { kind: 'raw', status: 200, body } });
			const ofCases = (await load(method)).filter(({ value }) => value !== '');
			expect(ofCases).toEqual([]);
		}
	});
});

describe('an error shows as an error in the form, not as an empty list', () => {
	const load = async (method: string, fields: object) =>
		await loadOptions({ ...options(fields), method });

	test.each<[string, (fields: object) => Promise<unknown>]>([
		['searchCases', async (fields) => await search(undefined, undefined, fields)],
		['getTags', async (fields) => await load('getTags', fields)],
		['getUserIds', async (fields) => await load('getUserIds', fields)],
	])('of %s', async (_method, call) => {
		const refused = await call({ apiKey: 'wrong-key-of-this-test' }).catch(
			(error: unknown) => error,
		);
		expect(refused).toMatchObject({
			name: 'NodeApiError',
			message: 'The service refused the API key (401)',
			description: expect.stringContaining('Open the Cases API credential'),
		});
		expectNoKey(refused, ['wrong-key-of-this-test']);
		await expect(call({ baseUrl: 'acme' })).rejects.toMatchObject({
			message: 'The Base URL is not the URL of a tenant',
		});
	});
});

describe('Lists of a service that has its own', () => {
	const open = useSandboxes();
	const start = async () => {
		const sandbox = await open({ cases: 60, grown: ['teams-and-tags'] });
		const fields = { baseUrl: sandbox.url };
		const load = async (method: string, more = {}) =>
			await loadOptions({ ...options({ ...fields, ...more }), method, path: 'parameters.filters' });
		const searchTeams = async (filter?: string) =>
			await listSearch({
				...options(fields),
				method: 'searchTeams',
				path: 'parameters.teamId',
				filter,
			});
		return { sandbox, load, searchTeams };
	};

	it('have all teams and tags, also those that no case has', async () => {
		const { sandbox, load } = await start();
		for (let index = 0; index < 60; index++) sandbox.store.tag(`unused ${index}`);
		const tags = (await load('getTags')).map(({ value }) => value);
		expect(tags.sort()).toEqual(
			sandbox.store
				.tags()
				.map(({ name }) => name)
				.sort(),
		);
		expect(await load('getTeams')).toEqual(TEAMS);
		expect(sandbox.requests.every(({ path }) => path.startsWith('/api/v1/'))).toBe(true);
	});

	it('are searched by what is typed', async () => {
		const { searchTeams } = await start();
		expect((await searchTeams('com')).results).toEqual([{ name: 'Compliance', value: '4' }]);
		expect((await searchTeams()).results).toHaveLength(5);
	});

	it.each([
		...[403, 404, 405].map((status) => ({ kind: 'status', status }) as const),
		{ kind: 'html' } as const,
	])('come from cases where the service answers with %j', async (fault) => {
		const { sandbox, load, searchTeams } = await start();
		sandbox.faults.add({ times: 9, match: { path: '/api/v1/' }, fault });
		expect((await load('getTags')).length).toBeGreaterThan(0);
		expect(sandbox.requests.at(-1)?.path).toBe('/api/v2/cases');
		expect((await searchTeams('SOC')).results).toEqual([{ name: 'SOC', value: '1' }]);
	});
});
