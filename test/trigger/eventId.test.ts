import type { Case } from '../../nodes/Cases/api/types';
import { closedAt, identifyEvent } from '../../nodes/Cases/trigger/changes/eventId';

const ROW = {
	case_id: 500,
	status: 'CLOSED',
	created_at: '2026-01-31T10:00:00Z',
	updated_at: '2026-01-31T12:00:00Z',
	resolved_at: '2026-01-31T11:00:00.500Z',
} as unknown as Case;
const entry = { id: 7, created_at: '2026-01-31T12:00:01+00:00' };

it('a reopened case is not closed, although it keeps the time of its closing', () => {
	expect(closedAt(ROW)).toBe(Date.parse('2026-01-31T11:00:00Z') / 1000);
	expect(closedAt({ ...ROW, status: 'OPEN' })).toBeUndefined();
	expect(closedAt({ ...ROW, status: 'closed' })).toBe(closedAt(ROW));
});

describe('the ID and the time of an event', () => {
	it.each([
		[{ event: 'caseCreated', row: ROW }, 'caseCreated-500', '2026-01-31T10:00:00Z'],
		[
			{ event: 'caseClosed', row: ROW },
			'caseClosed-500-2026-01-31T11:00:00Z',
			'2026-01-31T11:00:00Z',
		],
		[
			{ event: 'caseClosed', row: { ...ROW, resolved_at: null } },
			'caseClosed-500-2026-01-31T12:00:00Z',
			'2026-01-31T12:00:00Z',
		],
		[{ event: 'commentAdded', row: ROW, entry }, 'commentAdded-500-7', '2026-01-31T12:00:01Z'],
		[{ event: 'activityAdded', row: ROW, entry }, 'activityAdded-500-7', '2026-01-31T12:00:01Z'],
		[{ event: 'caseCreated', row: { ...ROW, created_at: 'soon' } }, 'caseCreated-500', null],
	])('%j', (happening, id, time) => {
		expect(identifyEvent(happening as never)).toEqual({ event_id: id, event_time: time });
	});

	it('of an edit has its time, or when a case was missing that can no longer be read', () => {
		const idOf = (fields: object) =>
			identifyEvent({ event: 'caseUpdated', row: { ...ROW, ...fields } as Case }).event_id;
		expect(idOf({})).toBe('caseUpdated-500-2026-01-31T12:00:00Z');
		expect(idOf({ description: 'https://files.example.com/a.png?signature=b' })).toBe(idOf({}));
		expect(idOf({ updated_at: null })).toBe('caseUpdated-500-undated');
		const gone = { event: 'caseUnmatched', row: { case_id: 500 }, seenAt: 1_769_860_800 };
		expect(identifyEvent(gone)).toEqual({
			event_id: 'caseUnmatched-500-2026-01-31T12:00:00Z',
			event_time: null,
		});
	});

	it.each(['CASE 7', '{7', '7}', 'x'.repeat(41)])(
		'of a case with the ID %s has a hash of it',
		(id) => {
			const { event_id } = identifyEvent({ event: 'caseCreated', row: { case_id: id } as Case });
			expect(event_id).toMatch(/^caseCreated-[0-9a-z]{1,8}$/);
		},
	);

	it('of a case and a comment without usable IDs are short, and differ for each', () => {
		const idOf = (name: string, value: string) =>
			identifyEvent({
				event: 'commentAdded',
				row: { name } as Case,
				entry: { value, created_at: entry.created_at },
			}).event_id;
		expect(idOf('a'.repeat(500), 'b')).toMatch(/^commentAdded-[0-9a-z]{1,8}-[0-9a-z]{1,8}$/);
		expect(new Set([idOf('a', 'b'), idOf('a', 'c'), idOf('b', 'b')]).size).toBe(3);
	});
});
