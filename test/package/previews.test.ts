import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { replyTo } from '../../nodes/Cases/resources/action/sendAndWait/reply';
import { byId, rowsOf } from '../support/runs';
import { useService } from '../support/service';

// Before a node has run, n8n shows the fields of its output by these files: one for each operation, which is
// that of the default Output. They are read from the built package, as n8n does.
const PREVIEWS = resolve(__dirname, '../../dist/nodes/Cases/__schema__');
const preview = (path: string): unknown => {
	const { version, ...schema } = JSON.parse(readFileSync(join(PREVIEWS, path), 'utf8')) as Schema;
	expect(version).toBe(1);
	return schema;
};

const service = useService({ cases: 60, grown: ['case-writes'] });

/** A case with a record without values: their fields differ from type to type, so no preview has them. */
const BARE = 61;
/** A case with a tag, an assignee and a comment. */
const TAGGED = 62;
let comment: number;
beforeAll(() => {
	const created_at = '2026-01-05T10:00:00Z';
	service.sandbox.store.createCase({
		case_id: BARE,
		created_at,
		records: [
			{
				record_type_id: 12,
				record_type_name: 'Host',
				record_type_record_results: [{ id: 1, results: [], created_at }],
			},
		],
	});
	service.sandbox.store.createCase({ case_id: TAGGED, tags: ['a'], assignees: [1] });
	comment = service.sandbox.store.addComment(TAGGED, 'Hello').id;
});

interface Schema {
	type: string;
	version?: number;
	properties?: Record<string, Schema>;
	items?: Schema;
}

function typeOf(value: unknown): string {
	if (Array.isArray(value)) return 'array';
	return Number.isInteger(value) ? 'integer' : typeof value;
}

/** The JSON schema of values that are alike; where some are null, that of the others. */
function schemaOf(values: unknown[]): Schema {
	const present = values.filter((value) => value !== null);
	const type = [...new Set(present.map(typeOf))].sort().join(' or ');
	if (type === 'array') return { type, items: schemaOf((present as unknown[][]).flat()) };
	if (type !== 'object') return { type };
	const rows = present as Array<Record<string, unknown>>;
	const names = [...new Set(rows.flatMap((row) => Object.keys(row)))];
	const entries = names.map((name) => {
		const has = rows.filter((row) => name in row);
		const schema = schemaOf(has.map((row) => row[name]));
		// A time that no row has, as of the closing of open cases, shows no type.
		const isUnset = schema.type === '' && name.endsWith('_at');
		return [name, isUnset ? { type: 'string' } : schema] as const;
	});
	return { type, properties: Object.fromEntries(entries) };
}

const ACTION = {
	url: 'https://stories.example.com/webhook/isolate-host?case=7',
	label: 'Isolate host',
	action_type: 'webhook',
	action_text: 'Isolate now',
};
const give = { actionsFrom: 'json', actionsJson: JSON.stringify([ACTION]) };

const OPERATIONS: Array<[resource: string, operation: string, parameters: object]> = [
	['case', 'getAll', { returnAll: true }],
	['case', 'get', { caseId: byId(7) }],
	['case', 'count', {}],
	['case', 'digest', { caseId: byId(7) }],
	['case', 'create', { teamId: byId(1), name: 'New', additionalFields: { tag_names: 'a' } }],
	['case', 'update', { caseId: byId(TAGGED), updateFields: { name: 'New' } }],
	['case', 'close', { caseId: byId(TAGGED) }],
	['case', 'reopen', { caseId: byId(TAGGED) }],
	['comment', 'create', { caseId: byId(TAGGED), text: 'Hello' }],
	['comment', 'delete', { caseId: byId(TAGGED), commentId: '={{ $json.comment }}' }],
	['activity', 'getAll', { caseId: byId(7), returnAll: true }],
	['record', 'getAll', { caseId: byId(BARE) }],
	['comment', 'getAll', { caseId: byId(7), returnAll: true }],
	['action', 'replace', { caseId: byId(7), ...give }],
	['action', 'upsert', { caseId: byId(7), ...give }],
	['action', 'getAll', { caseId: byId(7) }],
	['action', 'delete', { caseId: byId(7), matchLabel: 'Nothing' }],
	['action', 'clear', { caseId: byId(7) }],
];

test.each(OPERATIONS)(
	'The preview of %s.%s has exactly the fields and types of its real output',
	async (resource, operation, parameters) => {
		const run = await service.run({ resource, operation, ...parameters }, { items: [{ comment }] });
		expect(run.items).not.toEqual([]);
		expect(preview(`v1.0.0/${resource}/${operation}.json`)).toEqual(schemaOf(rowsOf(run)));
	},
);

it('The preview of action.sendAndWait has exactly the fields and types of an answered question', () => {
	const question = {
		...{ caseId: '7', message: 'Isolate?', ids: ['1'] },
		buttons: [{ key: 'k', answers: [{ choice: 'approve', text: 'Approve', approved: true }] }],
	};
	const body = { user: {}, button: {}, case: {}, message: '' };
	const { answered } = replyTo({ isPost: true, parameters: { key: 'k' }, body }, question);
	expect(preview('v1.0.0/action/sendAndWait.json')).toEqual(schemaOf([answered?.output ?? {}]));
});

it('The preview of the trigger has exactly the fields and types of its real output', async () => {
	const poller = await service.poller({}, { mode: 'manual', activation: 'manual' });
	const items = (await poller.poll()) ?? [];
	expect(items).not.toEqual([]);
	expect(preview('v1.0.0.json')).toEqual(schemaOf(items.map(({ json }) => json)));
});

it('there is a preview of every operation, and none besides', () => {
	const files = readdirSync(PREVIEWS, { recursive: true, withFileTypes: true });
	const paths = files
		.filter((file) => file.isFile())
		.map(({ parentPath, name }) => join(parentPath, name).slice(PREVIEWS.length + 1));
	const expected = [...OPERATIONS, ['action', 'sendAndWait']].map(
		([resource, operation]) => `v1.0.0/${resource}/${operation}.json`,
	);
	expect(paths.sort()).toEqual([...expected, 'v1.0.0.json'].sort());
});
