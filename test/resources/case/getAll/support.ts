import type { Sandbox } from '../../../../sandbox';
import { useService } from '../../../support/service';

export type StoredCase = ReturnType<Sandbox['store']['getCase']>;

/** The tenant owner's user. */
export const OWNER = 902;
/** The only case assigned to the tenant owner's user. */
const MINE = 121;
/** A case with odd characters in its name, tags and metadata. */
export const ODD = 122;

/** A service with 122 cases, numbered from 1. */
export function useCases() {
	const service = useService({ cases: 120 });
	beforeAll(() => {
		const { store } = service.sandbox;
		// In the past, because an edit during a read makes the node read again.
		const created_at = '2026-01-15T10:00:00Z';
		store.createCase({ case_id: MINE, created_at, assignees: [OWNER], tags: ['mine'] });
		store.createCase({
			case_id: ODD,
			created_at,
			name: 'Odd + 50% & "more" = Ünïcödé 🔥 #1?',
			metadata: { 'owner & co': 'a+b=c/d?e', source: 'mailbox' },
			tags: ['vip, finance', 'c++'],
		});
	});
	/** All cases of the service. */
	const stored = () => [...service.sandbox.store.cases()];
	/** The IDs of the cases that match. */
	const storedIds = (matches: (row: StoredCase) => boolean) =>
		stored()
			.filter(matches)
			.map(({ case_id }) => case_id);
	return Object.assign(service, { stored, storedIds });
}

export const sorted = (ids: unknown[]) => [...ids].map(Number).sort((a, b) => a - b);
/** A time of a case in ms, NaN where it has none. */
export const at = (text: string | null) => (text === null ? NaN : Date.parse(text));
export const hasTag = (row: StoredCase, name: string) => row.tags.some((tag) => tag.name === name);
