import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startSandbox, WITH_WRITES, type Sandbox } from '../../sandbox';

/** Cases in the sandbox, numbered from 1. */
export const CASES = 500;

/** Numbers that each start reserves for what is made by hand: more than anybody makes. */
const CASES_BY_HAND = 100;
const IDS_BY_HAND = 1_000_000;

/** What is kept between starts, so that a published trigger sees the same service again. */
interface Kept {
	/** The moment before which the sandbox's cases were made; with another one all of them would look edited. */
	seedUntil: string;
	/** How many starts there were: a case made by hand must not get the number of one from an earlier start. */
	starts: number;
}

function readKept(file: string): Kept | undefined {
	try {
		return JSON.parse(readFileSync(file, 'utf8')) as Kept;
	} catch (error) {
		if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
		throw error;
	}
}

/**
 * Starts the sandbox with the cases of the first start with this folder. What was changed since is gone.
 * @param port the same at each start: it is in the addresses of the cases
 */
export async function startKeptSandbox(
	folder: string,
	port: number,
	now = new Date(),
): Promise<{ sandbox: Sandbox; seedUntil: Date }> {
	const file = join(folder, 'sandbox.json');
	const { seedUntil: since, starts } = readKept(file) ?? {
		seedUntil: now.toISOString(),
		starts: 0,
	};
	writeFileSync(file, JSON.stringify({ seedUntil: since, starts: starts + 1 } satisfies Kept));
	const seedUntil = new Date(since);
	const sandbox = await startSandbox({
		port,
		cases: CASES,
		seedUntil,
		grown: WITH_WRITES,
		// Comment Added reads only changed cases, unless Case IDs are given.
		commentsTouchCase: true,
	});
	sandbox.store.reserveCaseIds(CASES + starts * CASES_BY_HAND);
	sandbox.store.reserveIds(starts * IDS_BY_HAND);
	return { sandbox, seedUntil };
}
