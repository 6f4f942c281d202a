import type { Case } from '../../nodes/Cases/api/types';
import { digestOf, numberOfText } from '../../nodes/Cases/trigger/changes/digest';

const CASE = {
	case_id: 1,
	name: 'Port scan',
	description: 'Seen at night',
	status: 'OPEN',
	priority: 'LOW',
	metadata: { a: '1', b: { c: '2', d: '3' } },
	author: { user_id: 1 },
	opened_by: { user_id: 2 },
	resolved_by: null,
	opened_at: '2026-01-31T12:00:00Z',
	resolved_at: null,
	created_at: '2026-01-31T11:00:00Z',
	updated_at: '2026-01-31T13:00:00Z',
	team: { id: 5 },
	assignees: [{ user_id: 3 }, { user_id: 4 }],
	tags: [{ id: 7, name: 'vip' }, { name: 'lab' }],
	actions: [
		{ id: 8, url: 'https://a.example/run?signature=1', label: 'Run', action_type: 'webhook' },
	],
	linked_cases: [{ case_id: 9, name: 'Other' }],
	closure_conditions: [{ formula: 'a', name: 'b' }],
	activities: [{ id: 1 }],
	records: [{ id: 1 }],
} as unknown as Case;

const digestWith = (fields: object) => digestOf({ ...CASE, ...fields } as Case);

describe('the digest of a case', () => {
	it.each([
		{ name: 'Port scan 2' },
		{ description: null },
		{ status: 'CLOSED' },
		{ priority: 'HIGH' },
		{ metadata: { a: '1', b: { c: '2', d: '4' } } },
		{ author: { user_id: 2 } },
		{ opened_by: null },
		{ resolved_by: { user_id: 1 } },
		{ opened_at: null },
		{ resolved_at: '2026-01-31T13:00:00Z' },
		{ created_at: '2026-01-31T11:00:01Z' },
		{ team: { id: 6 } },
		{ assignees: [{ user_id: 3 }] },
		{ assignees: null },
		{ tags: [{ id: 7, name: 'vip' }] },
		{ tags: [{ id: 7, name: 'vip' }, { name: 'lab 2' }] },
		{ actions: [{ id: 8, url: 'https://b.example/run', label: 'Run', action_type: 'webhook' }] },
		{ actions: [{ id: 8, url: 'https://a.example/run', label: 'Stop', action_type: 'webhook' }] },
		{ actions: [{ id: 8, url: 'https://a.example/run', label: 'Run', action_type: 'page' }] },
		{ linked_cases: [] },
		{ linked_cases: [{ case_id: 10, name: 'Other' }] },
		{ linked_cases: [{ case_id: 9, name: 'Renamed' }] },
		{ closure_conditions: [{ formula: 'c', name: 'b' }] },
	])('changes with %j', (fields) => {
		expect(digestWith(fields)).not.toBe(digestOf(CASE));
	});

	it.each([
		{ updated_at: '2026-02-01T00:00:00Z' },
		{ metadata: { b: { d: '3', c: '2' }, a: '1' } },
		{ author: { user_id: 1, avatar_url: 'https://a.example/1?signature=2' } },
		{ team: { name: 'SOC', id: 5 } },
		{ assignees: [{ user_id: 4 }, { user_id: 3, name: 'Ana' }] },
		{ tags: [{ name: 'lab' }, { id: 7, name: 'renamed' }] },
		{
			actions: [
				{ id: 8, url: 'https://a.example/run?signature=2', label: 'Run', action_type: 'webhook' },
			],
		},
		{ activities: [] },
		{ records: [] },
		{ sla: { elapsed_seconds: 1 }, url: 'https://cases.example/1?signature=1' },
	])('is the same for %j', (fields) => {
		expect(digestWith(fields)).toBe(digestOf(CASE));
	});

	it('is made of whatever an action has as its URL', () => {
		const ofUrl = (url: unknown) => digestWith({ actions: [{ id: 8, url }] });
		expect(ofUrl({ toString: 1 })).not.toBe(ofUrl({ toString: 2 }));
		expect(ofUrl(null)).toBe(ofUrl(''));
	});

	it('is the same for cases without any list', () => {
		const none = { assignees: undefined, tags: undefined, actions: undefined };
		expect(digestWith(none)).toBe(digestWith({ assignees: null, tags: null, actions: null }));
	});

	it('is the same in every version, because states of earlier ones have it', () => {
		const row = {
			case_id: 1,
			name: 'Port scan',
			metadata: { a: '1', b: ['2', { d: '3', c: '4' }] },
			team: { id: 5 },
			assignees: [{ user_id: 4 }, { user_id: 3 }],
			actions: [{ id: 8, label: 'Run' }],
		};
		expect(digestOf(row as Case)).toBe(1_043_518_401);
	});

	it('is a whole number of thirty bits, spread over all of them', () => {
		const digests = Array.from({ length: 2000 }, (_, index) => digestWith({ name: `v${index}` }));
		expect(digests.every((digest) => Number.isInteger(digest) && digest < 2 ** 30)).toBe(true);
		expect(new Set(digests).size).toBe(2000);
		for (let bit = 0; bit < 30; bit++) {
			const ones = digests.filter((digest) => Math.floor(digest / 2 ** bit) % 2 === 1).length;
			expect(Math.abs(ones - 1000)).toBeLessThan(200);
		}
	});
});

describe('the number of a text', () => {
	it('is the same in every version, because states of earlier ones have it', () => {
		expect(numberOfText('comment 7 1')).toBe(451_670_119_949);
	});

	it('is a whole number of forty bits, which differs for each of many texts', () => {
		const numbers = Array.from({ length: 20_000 }, (_, index) =>
			numberOfText(`comment 7 ${index}`),
		);
		expect(numbers.every((one) => Number.isInteger(one) && one >= 0 && one < 2 ** 40)).toBe(true);
		expect(new Set(numbers).size).toBe(20_000);
		expect(Math.max(...numbers)).toBeGreaterThan(2 ** 39);
	});
});
