import fc from 'fast-check';
import { MAX_BYTES, POLL_MS, setUpBulk, type PollRecord } from './bulk';

/**
 * "Every loop progresses": one edit of any number of cases with one timestamp, or any number of comments, on
 * a service of any speed. Each case and each comment is an event once; each poll ends in time, brings as many new cases
 * as half its time can hold, and reads little again; the state stays small; then polls are quiet.
 *
 * BULK_RUNS sets the number of edits, and BULK_CASES and BULK_COMMENTS how large they may be, for example
 * `BULK_RUNS=20 BULK_CASES=50000 BULK_COMMENTS=150000 npx jest test/trigger/bulkEdit.property`.
 */
const RUNS = Number(process.env.BULK_RUNS ?? 3);
const MOST_CASES = Number(process.env.BULK_CASES ?? 1000);
const MOST_COMMENTS = Number(process.env.BULK_COMMENTS ?? 300);
const LIMIT_MS = 60_000 + RUNS * 60_000;

/** Few, some or many. */
const upTo = (most: number) =>
	fc.oneof(fc.nat(100), fc.nat(most), fc.integer({ min: Math.floor(most * 0.9), max: most }));

const bulk = fc.record({
	cases: upTo(MOST_CASES),
	pageMs: fc.constantFrom(20, 250, 1000),
	pageSize: fc.integer({ min: 10, max: 50 }),
	maxCases: fc.constantFrom(100, 1000, 2000),
});

/** The requests of a quiet poll: it reads up to 50 edits again, and one page more. */
const quietRequests = (pageSize: number) => Math.ceil(50 / pageSize) + 1;

/** Polls until two polls in a row found nothing and read little, or for as many polls as no edit can need. */
async function pollUntilQuiet(
	poll: () => Promise<PollRecord>,
	{ most, pageSize = 50 }: { most: number; pageSize?: number },
): Promise<PollRecord[]> {
	const polls: PollRecord[] = [];
	const isQuiet = ({ cases, requests }: PollRecord) =>
		cases.length === 0 && requests <= quietRequests(pageSize);
	const isQuietAgain = () => polls.length > 1 && polls.slice(-2).every(isQuiet);
	while (!isQuietAgain() && polls.length < most) polls.push(await poll());
	return polls;
}

it(
	`works off an edit of up to ${MOST_CASES} cases with one timestamp, each once, within time and state`,
	async () => {
		await fc.assert(
			fc.asyncProperty(bulk, async ({ cases, ...service }) => {
				const { poll, edit } = await setUpBulk(service);
				const { pageMs, pageSize, maxCases } = service;
				edit(cases);
				// Half of the pages that a poll has time for: the others are its look back, and the page that shows the end.
				const pagesAPoll = Math.floor(POLL_MS / 2 / pageMs / 2);
				const least = Math.min(maxCases, pagesAPoll * pageSize);
				// The second looks take as long again, and so may those at what several polls read.
				const most = 3 * Math.ceil(cases / least) + 6;
				const polls = await pollUntilQuiet(poll, { most, pageSize });

				const found = polls.map((one) => one.cases.length);
				const complaints: string[] = [];
				const holds = (what: string, isSo: boolean) => isSo || complaints.push(what);
				const ids = polls.flatMap((one) => one.cases);
				holds('each case is reported', new Set(ids).size === cases);
				holds('none is repeated', new Set(ids).size === ids.length);
				holds('polls become quiet', polls.length < most);
				const unfinished = found.slice(0, Math.ceil(cases / least) - 1);
				const after = (index: number) => found.slice(0, index).reduce((sum, one) => sum + one, 0);
				const isSlow = (one: number, index: number) => one < Math.min(least, cases - after(index));
				holds('each poll brings new cases', !unfinished.some(isSlow));
				holds(
					'polls end in time',
					polls.every(({ ms }) => ms < POLL_MS),
				);
				holds(
					'the state stays small',
					polls.every(({ bytes }) => bytes < MAX_BYTES),
				);
				// Each page once, once more for a second look, and those that several polls read for another one.
				const requests = polls.reduce((sum, one) => sum + one.requests, 0);
				const pages = Math.ceil(cases / pageSize);
				holds(
					'pages are read three times at most',
					requests <= 3 * pages + quietRequests(pageSize) * polls.length + 10,
				);
				expect(complaints).toEqual([]);
			}),
			{ numRuns: RUNS },
		);
	},
	LIMIT_MS,
);

it(
	`reports each of up to ${MOST_COMMENTS} comments of one second once`,
	async () => {
		const comments = fc.record({ count: upTo(MOST_COMMENTS), cases: fc.constantFrom(1, 10, 50) });
		await fc.assert(
			fc.asyncProperty(comments, async ({ count, cases }) => {
				const { store, poll, edit } = await setUpBulk({ withComments: true, pageMs: 0 });
				edit(cases);
				for (let index = 0; index < count; index++) {
					store.addComment(1 + (index % cases), `Comment ${index}`);
				}
				const polls = await pollUntilQuiet(poll, { most: 8 });
				const events = polls.flatMap((one) => one.events);
				expect(events.filter((event) => event === 'commentAdded')).toHaveLength(count);
			}),
			{ numRuns: RUNS },
		);
	},
	LIMIT_MS,
);
