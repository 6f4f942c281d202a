import {
	CASE_OUTPUT,
	detailOutput,
	hasField,
	shapeActivity,
	shapeCase,
	shapeComment,
	shapeFile,
	shapeRecord,
	shapeTask,
} from '../../nodes/Cases/fields/output';
import { directService } from '../../sandbox/direct';
import { CaseStore } from '../../sandbox/store';
import { parametersWith } from '../support/parameters';
import { expectRefused } from '../support/refusal';

/** A case as the service sends it. */
function servedCase() {
	const store = new CaseStore({ now: () => new Date('2026-01-31T12:00:00Z') });
	store.createCase({ name: 'Phishing', tags: ['mail', 'urgent'], assignees: [1, 2] });
	const answer = directService(store)({ path: '/api/v2/cases' }) as {
		cases: Array<Record<string, unknown>>;
	};
	return answer.cases[0];
}

describe('the output of a case', () => {
	it('is flat fields when simplified', () => {
		expect(shapeCase(servedCase(), { mode: 'simplified' })).toEqual({
			case_id: 1,
			name: 'Phishing',
			status: 'OPEN',
			priority: 'MEDIUM',
			team: 'SOC',
			assignees: ['ana.lindqvist@example.com', 'bruno.okafor@example.com'],
			tags: ['mail', 'urgent'],
			url: 'http://sandbox.invalid/cases/1',
			created_at: '2026-01-31T12:00:00Z',
			updated_at: '2026-01-31T12:00:00Z',
			resolved_at: null,
		});
	});

	it('has the same fields, null where the service left them out', () => {
		const shaped = shapeCase({}, { mode: 'simplified' });
		expect(Object.keys(shaped)).toHaveLength(11);
		expect(shaped).toMatchObject({ case_id: null, team: null, assignees: null, tags: null });
		expect(
			shapeCase({ team: 'SOC', assignees: [null, {}], tags: 'x' }, { mode: 'simplified' }),
		).toMatchObject({ team: null, assignees: [null, null], tags: null });
	});

	it('is the chosen fields and always the ID when selected', () => {
		expect(
			shapeCase(
				{ case_id: 1, name: 'A', status: 'OPEN' },
				{ mode: 'selected', fields: ['name', 'severity'] },
			),
		).toEqual({ case_id: 1, name: 'A', severity: null });
		expect(shapeCase({}, { mode: 'selected', fields: [] })).toEqual({ case_id: null });
	});

	it('carries activities and records when raw or chosen', () => {
		expect(hasField({ mode: 'raw' }, 'records')).toBe(true);
		expect(hasField({ mode: 'simplified' }, 'records')).toBe(false);
		expect(hasField({ mode: 'selected', fields: ['records'] }, 'records')).toBe(true);
		expect(hasField({ mode: 'selected', fields: ['records'] }, 'activities')).toBe(false);
	});
});

describe('the simplified output of a comment', () => {
	const NOTHING = {
		case_id: 7,
		comment_id: null,
		text: null,
		author: null,
		author_email: null,
		is_service_account: null,
		created_at: null,
	};

	test.each([
		['without a last name', { user: { first_name: 'Ana', last_name: '' } }, { author: 'Ana' }],
		['without a first name', { user: { last_name: 'Lindqvist' } }, { author: 'Lindqvist' }],
		['without any name', { user: { first_name: '', last_name: null } }, {}],
		['without a user', { user: null }, {}],
		['with a user that is text', { user: 'ana' }, {}],
		['with names that are not text', { user: { first_name: 1, last_name: {} } }, {}],
		['with nothing', {}, {}],
	])('has the same seven fields %s', (_what, row, expected) => {
		expect(shapeComment({ case_id: 7, ...row }, 'simplified')).toEqual({ ...NOTHING, ...expected });
	});
});

describe('the output of an activity', () => {
	const row = {
		case_id: 7,
		id: 5,
		activity_type: 'STATUS_UPDATED',
		value: 'CLOSED',
		user: {
			first_name: 'Ana',
			last_name: 'Lindqvist',
			email: 'ana@example.com',
			is_service_account: false,
		},
		created_at: '2026-01-31T12:00:00Z',
		reactions: [],
	};

	it('is eight flat fields when simplified', () => {
		expect(shapeActivity(row, 'simplified')).toEqual({
			case_id: 7,
			activity_id: 5,
			activity_type: 'STATUS_UPDATED',
			value: 'CLOSED',
			user: 'Ana Lindqvist',
			user_email: 'ana@example.com',
			is_service_account: false,
			created_at: '2026-01-31T12:00:00Z',
		});
	});

	it('has the same eight fields when the service left them out', () => {
		expect(Object.values(shapeActivity({ user: null }, 'simplified'))).toEqual(
			Array.from({ length: 8 }, () => null),
		);
	});

	it('is the activity as it came when raw', () => {
		expect(shapeActivity(row, 'raw')).toEqual({ ...row });
	});
});

describe('the output of a file', () => {
	const row = {
		...{ case_id: 7, id: 5, value: 'As reported', activity_type: 'FILE_ATTACHED' },
		file: { filename: 'mail.eml' },
		user: { first_name: ' ', last_name: ' ', email: 'ana@example.com', is_service_account: true },
		created_at: '2026-01-31T12:00:00Z',
	};

	it('is seven flat fields, unless it is raw', () => {
		expect(shapeFile(row)).toEqual({
			...{ case_id: 7, file_id: 5, file_name: 'mail.eml', comment: 'As reported' },
			...{ author: null, author_email: 'ana@example.com', created_at: row.created_at },
		});
		expect(shapeFile(row, 'raw')).toBe(row);
	});

	it('has the same seven fields when the service left them out', () => {
		expect(Object.values(shapeFile({}))).toEqual(Array.from({ length: 7 }, () => null));
	});
});

describe('the output of a task', () => {
	const row = {
		...{ case_id: 7, id: 5, description: 'Warn', completed: false, more: 1 },
		assignees: [{ email: 'ana@example.com' }, {}],
		...{ created_at: '2026-01-31T12:00:00Z', updated_at: '2026-01-31T13:00:00Z' },
	};

	it('is seven flat fields, unless it is raw', () => {
		const { id: task_id, more, assignees, ...rest } = row;
		expect([more, assignees]).toHaveLength(2);
		expect(shapeTask(row)).toEqual({ ...rest, task_id, assignees: ['ana@example.com', null] });
		expect(shapeTask(row, 'raw')).toBe(row);
	});

	it('has the same seven fields when the service left them out', () => {
		expect(Object.keys(shapeTask({})).sort()).toEqual(Object.keys(shapeTask(row)).sort());
		expect(Object.values(shapeTask({}))).toEqual(Array.from({ length: 7 }, () => null));
	});
});

test('the output of a record is as it came, with its case, when raw', () => {
	const record = { id: 1, record_type_name: 'Host', created_at: null, results: [] };
	expect(shapeRecord(record, 7, 'raw')).toEqual({ case_id: 7, ...record });
	expect(shapeRecord(record, 7)).not.toHaveProperty('results');
});

describe('how much of a case to return', () => {
	test.each<[Record<string, unknown>, object]>([
		[{}, { mode: 'simplified' }],
		[{ output: 'raw', fields: ['name'] }, { mode: 'raw' }],
		[
			{ output: 'selected', fields: 'name, tags, __proto__' },
			{ mode: 'selected', fields: ['name', 'tags'] },
		],
		[{ output: 'selected' }, { mode: 'selected', fields: [] }],
	])('by %j is %j', (values, expected) => {
		expect(CASE_OUTPUT.read(parametersWith(values), 0)).toEqual(expected);
	});

	it('is one of the modes', () => {
		expectRefused(
			() => CASE_OUTPUT.read(parametersWith({ output: 'all' }), 0),
			`'Output': "all" is not one of simplified, selected, raw`,
			'Choose from the list, or use an expression that returns one of these values.',
		);
		expectRefused(
			() => CASE_OUTPUT.read(parametersWith({ output: 'selected', fields: {} }), 0),
			`'Fields': "{}" is not text`,
			'An expression must return',
		);
	});
});

test('how much of a comment to return is one of two modes', () => {
	expect(detailOutput('comment').read(parametersWith({}), 0)).toBe('simplified');
	expect(detailOutput('comment').read(parametersWith({ output: 'raw' }), 0)).toBe('raw');
	expectRefused(
		() => detailOutput('comment').read(parametersWith({ output: 'selected' }), 0),
		`'Output': "selected" is not one of simplified, raw`,
		'Choose from the list',
	);
});
