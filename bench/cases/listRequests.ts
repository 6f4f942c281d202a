import type { IDataObject } from 'n8n-workflow';
import { startSandbox, type Sandbox } from '../../sandbox';
import type { Deviations } from '../../sandbox/deviations';
import type { CaseStore } from '../../sandbox/store';
import type { Figure } from '../figures';
import { PAGE_SIZE, withEngines, type Measurement } from '../setup';
import { casesNodes, engineWorkflow } from '../workflows';

/** Ten pages, the last of them not full. */
const CASES = 475;

type Change = (turn: number, store: CaseStore) => void;

/** Services of which one after another is tried; the figure is that of the worst. */
interface Situation {
	id: string;
	what: string;
	parameters: IDataObject;
	services: Array<{ deviations?: Deviations; change?: Change }>;
	/** Most requests, for a number of pages. */
	most: (pages: number) => number;
	against: string;
}

const ALL = { operation: 'getAll', returnAll: true };
const OPEN = { ...ALL, filters: { status: 'OPEN' } };

const CLOCKS: Deviations[] = [
	{ clock: { dateOffset: -3600 } },
	{ clock: { dateFrozenAt: '2020-01-01T00:00:00Z' } },
	{ clock: { noDate: true } },
];

/** An edit before every answer, and a new case before each third. */
const busy: Change = (turn, store) => {
	store.updateCase(1 + (turn % CASES), { name: `Edit ${turn}` });
	if (turn % 3 === 0) store.createCase({ status: 'OPEN' });
};

/** Closes an open case of the first page before one answer. */
const closing =
	(at: number): Change =>
	(turn, store) => {
		const open = [...store.cases()].find(({ status }) => status === 'OPEN');
		if (turn === at && open) store.updateCase(open.case_id, { status: 'CLOSED' });
	};

const SITUATIONS: Situation[] = [
	{
		id: 'quiet',
		what: 'Return All',
		parameters: ALL,
		services: [{}],
		most: (pages) => pages + 2,
		against: 'pages + 2',
	},
	{
		id: 'quietFilter',
		what: 'Return All with a filter that edits can change',
		parameters: OPEN,
		services: [{}],
		most: (pages) => pages + 3,
		against: 'pages + 3',
	},
	{
		id: 'onePage',
		what: 'Return All of one page',
		parameters: { ...ALL, options: { pageSize: 500 } },
		services: [{}],
		most: () => 1,
		against: '1',
	},
	{
		id: 'count',
		what: 'Count without a filter',
		parameters: { operation: 'count' },
		services: [{}],
		most: () => 1,
		against: '1',
	},
	{
		id: 'limit',
		what: 'Limit 50',
		parameters: { operation: 'getAll', limit: 50 },
		services: [{}],
		most: () => 1,
		against: '1',
	},
	{
		id: 'busy',
		what: 'Return All while every answer finds an edit and each third a new case, with any Date header',
		parameters: ALL,
		services: [{}, ...CLOCKS.map((deviations) => ({ deviations }))].map((service) => ({
			...service,
			change: busy,
		})),
		most: (pages) => pages + 3,
		against: 'pages + 3',
	},
	{
		id: 'oneEdit',
		what: 'Return All with a filter, and one edit that concerns it, before any of twelve answers',
		parameters: OPEN,
		services: Array.from({ length: 12 }, (_, index) => ({ change: closing(index + 1) })),
		most: (pages) => 2 * pages + 6,
		against: '2 × pages + 6',
	},
	{
		id: 'clocks',
		what: 'Return All with a filter, and a Date header that is behind, frozen or missing, or no page counts',
		parameters: OPEN,
		services: [
			...CLOCKS,
			{ list: { meta: { pages: undefined, count: undefined } } } as Deviations,
		].map((deviations) => ({ deviations })),
		most: (pages) => 2 * pages + 6,
		against: '2 × pages + 6',
	},
];

/** A service of its own, so that what one situation changes is not there in the next. */
async function withService<T>(use: (sandbox: Sandbox) => Promise<T>): Promise<T> {
	const sandbox = await startSandbox({ cases: CASES, grown: ['page-size'] });
	try {
		return await use(sandbox);
	} finally {
		await sandbox.stop();
	}
}

/** The requests of lists on honest services that are quiet, busy or have a wrong clock. */
export const listRequests: Measurement = async () =>
	await withEngines(['only'], async ({ only }) => {
		const figures: Figure[] = [];
		for (const { id, what, parameters, services, most, against } of SITUATIONS) {
			const counted: Array<{ requests: number; pages: number }> = [];
			for (const { deviations, change } of services) {
				const requests = await withService(async (sandbox) => {
					const open = [...sandbox.store.cases()].filter(({ status }) => status === 'OPEN');
					const rows = parameters === OPEN ? open.length : CASES;
					sandbox.deviate(deviations);
					let turn = 0;
					const run = (store: CaseStore) => change?.(++turn, store);
					sandbox.faults.add({ times: 10_000, fault: { kind: 'change', run } });
					const target = { url: sandbox.url, key: sandbox.keys.tenantOwner };
					await only.calls.run(engineWorkflow(target, casesNodes(parameters)));
					return { requests: sandbox.requests.length, pages: Math.ceil(rows / PAGE_SIZE) };
				});
				counted.push(requests);
			}
			const [worst] = counted.sort((a, b) => b.requests - a.requests);
			figures.push({
				id: `listRequests.${id}`,
				what: `Requests: ${what}`,
				against,
				measured: worst.requests,
				unit: '',
				floor: most(worst.pages),
				detail: `${worst.requests} requests for ${worst.pages} pages`,
			});
		}
		return figures;
	});
