import { splitIntoBatches } from './caseBatches';
import { caseNotFound } from './caseNotFound';
import { readCasesById } from './cases';
import type { Client } from './client';
import { isTooOld } from './drafts';
import type { ListResult } from './lists/readList';
import type { Case } from './types';

/** A case as it was read. */
export interface ReadCase {
	row: Case;
	/** When the read was answered, by the local clock, in ms since the epoch. */
	readAt: number;
}

/** How to read cases. */
interface Reading {
	/** Most cases to a request. */
	pageSize: number;
	/** Gets what the reader noticed, and about how many cases. */
	note?: (count: number, observed: ListResult['observed']) => void;
}

/** Cases that are to be written, each as it was read last. */
export class CurrentCases {
	private readonly known = new Map<string, ReadCase>();
	/** The reads under way, by the cases that they read. */
	private readonly underWay = new Map<string, Promise<void>>();
	/** The cases that are still to be written, in the order of their writes. */
	private left = new Set<string>();

	constructor(
		private readonly client: Client,
		private readonly reading: Reading,
	) {}

	/** Takes a case that was read. */
	add(caseId: string, row: Case, readAt: number): void {
		this.known.set(caseId, { row, readAt });
	}

	/** Sets which cases are still to be written, in the order of their writes. */
	expect(caseIds: string[]): void {
		this.left = new Set(caseIds);
	}

	/** Notes that a case is written, or won't be. */
	finish(caseId: string): void {
		this.left.delete(caseId);
	}

	/**
	 * A case as it is now. Where it was read too long ago, it is read again, and with it those that are left, as many as one
	 * request takes.
	 * @throws ApiFailure when the read fails, or when the case isn't found any more
	 */
	async now(caseId: string): Promise<ReadCase> {
		if (this.isOld(caseId)) await (this.underWay.get(caseId) ?? this.readWith(caseId));
		return this.last(caseId);
	}

	/** A case as it was read last, however long ago. @throws ApiFailure when it wasn't found */
	last(caseId: string): ReadCase {
		const found = this.known.get(caseId);
		if (found === undefined) throw caseNotFound(caseId);
		return found;
	}

	private isOld(caseId: string): boolean {
		const { readAt = -Infinity } = this.known.get(caseId) ?? {};
		return isTooOld(readAt, this.client.now());
	}

	private async readWith(caseId: string): Promise<void> {
		const others = [...this.left].filter(
			(id) => id !== caseId && this.isOld(id) && !this.underWay.has(id),
		);
		const caseIds = [caseId, ...others].slice(0, this.reading.pageSize);
		const [batch] = splitIntoBatches(this.client, { filters: {}, caseIds }, this.reading.pageSize);
		const read = this.read(batch.caseIds).finally(() => {
			for (const id of batch.caseIds) this.underWay.delete(id);
		});
		for (const id of batch.caseIds) this.underWay.set(id, read);
		await read;
	}

	private async read(caseIds: string[]): Promise<void> {
		const { pageSize, note } = this.reading;
		const rows = await readCasesById(this.client, caseIds, pageSize, (observed) =>
			note?.(caseIds.length, observed),
		);
		for (const id of caseIds) {
			const row = rows.get(id);
			if (row === undefined) this.known.delete(id);
			else this.known.set(id, { row, readAt: this.client.now() });
		}
	}
}
