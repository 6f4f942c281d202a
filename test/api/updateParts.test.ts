import type { ApiRequest } from '../../nodes/Cases/api/http/requests';
import type { Row } from '../../nodes/Cases/api/types';
import { changeOf } from '../../nodes/Cases/api/writes/caseChanges';
import { updateEntry, type CaseUpdate } from '../../nodes/Cases/api/writes/caseWrites';
import { updateCase, withStatus } from '../../nodes/Cases/api/writes/updateParts';
import { answering, failedWith } from './answering';

const CASE = { case_id: 7, name: 'New' };
const FIELD = { value: 'benign', case_input: { id: 32 } };
const UPDATE = {
	name: 'New',
	metadata: { a: '1' },
	remove_metadata_keys: ['b'],
	field_values: { 32: 'benign' },
};

/** What a service answers that carries every part out. */
function answerOf({ method, path }: ApiRequest): Row | undefined {
	if (method === 'GET') return { cases: [CASE] };
	if (path.endsWith('/bulk/fields')) return { cases: [{ case_id: 7, fields: [FIELD] }] };
	if (path.endsWith('/metadata')) return method === 'PUT' ? { metadata: { a: 1 } } : undefined;
	return CASE;
}

const failureOf = async (work: Promise<unknown>) =>
	await work.then(
		() => undefined,
		({ message, details }: ReturnType<typeof failedWith>) => ({ message, ...details }),
	);

it('An update sends its parts in order, and returns the case', async () => {
	const { client, requests } = answering(answerOf);
	expect(await updateCase(client, '7', UPDATE)).toEqual(CASE);
	expect(requests.map(({ method, path }) => `${method} ${path.slice(14)}`)).toEqual([
		'PUT 7/metadata',
		'DELETE 7/metadata',
		'POST bulk/fields',
		'PUT 7',
	]);
});

it('An update without fields of the case itself reads the case', async () => {
	const { client, requests } = answering(answerOf);
	// The author of an update is none of its fields.
	const update = { metadata: { a: '1' }, author_email: 'ada@acme.example.com' };
	expect(await updateCase(client, '7', update)).toEqual(CASE);
	expect(requests.map(({ method }) => method)).toEqual(['PUT', 'GET']);
	const { client: without } = answering((request) =>
		request.method === 'GET' ? { cases: [] } : answerOf(request),
	);
	expect(await failureOf(updateCase(without, '7', { metadata: { a: '1' } }))).toMatchObject({
		description: expect.stringContaining('Done: Metadata. Not done: reading the case afterwards.'),
		mayHaveBeenDone: true,
	});
});

it('An update whose answer lacks one of the values is a failure', async () => {
	const { client } = answering(answerOf);
	expect(await failureOf(updateCase(client, '7', { metadata: { a: '1', c: '2' } }))).toMatchObject({
		message: expect.stringMatching(/did not answer with the metadata$/),
		description: expect.stringContaining('The metadata may have been written.'),
	});
	expect(await failureOf(updateCase(client, '7', { field_values: { 32: 'odd' } }))).toMatchObject({
		description: expect.stringContaining('A field that the team of the case lacks is not written.'),
	});
});

it.each([
	[
		'/metadata',
		'Not done: Metadata, Metadata Keys to Remove, Field Values, the other fields.',
		false,
	],
	[
		'/bulk/fields',
		'Done: Metadata, Metadata Keys to Remove. Not done: Field Values, the other fields.',
		true,
	],
])('An update that is refused at %s says what was done', async (end, said, isDoubtful) => {
	const { client } = answering((request) => {
		if (request.path.endsWith(end)) throw failedWith(422);
		return answerOf(request);
	});
	expect(await failureOf(updateCase(client, '7', UPDATE))).toMatchObject({
		description: expect.stringContaining(said),
		mayHaveBeenDone: isDoubtful,
	});
});

it.each<[string, Row]>([
	['/bulk/fields', { cases: [{ case_id: 8, fields: [FIELD] }] }],
	['/bulk/fields', { cases: [{ case_id: 7 }] }],
	['/bulk/fields', {}],
	['/metadata', { metadata: { b: '1' } }],
	['/metadata', { metadata: { a: '2' } }],
	['/cases/7', { case_id: 8 }],
])('An answer of %s that is not what was sent confirms nothing: %j', async (end, body) => {
	const { client } = answering((request) =>
		request.path.endsWith(end) ? body : answerOf(request),
	);
	expect((await failureOf(updateCase(client, '7', UPDATE)))?.message).toMatch(/^The service conf/);
});

it('A single part that fails has no report', async () => {
	const { client } = answering(() => {
		throw failedWith(422);
	});
	expect(await failureOf(updateCase(client, '7', { name: 'A' }))).toMatchObject({
		description: '',
	});
});

it('The status of a sub-status is read once, and only where it is missing', async () => {
	const { client, requests } = answering(() => ({ parent_status: 'CLOSED' }));
	const read = async (values: CaseUpdate) => await withStatus(client, values);
	expect(await read({ sub_status_id: 13 })).toEqual({ sub_status_id: 13, status: 'closed' });
	expect(await read({ sub_status_id: 13, name: 'A' })).toMatchObject({ status: 'closed' });
	expect(await read({ sub_status_id: 11, status: 'open' })).toMatchObject({ status: 'open' });
	expect(await read({ name: 'A' })).toEqual({ name: 'A' });
	expect(requests.map(({ path }) => path)).toEqual(['/api/v1/case_sub_statuses/13']);
	const unknown = withStatus(answering(() => ({})).client, { sub_status_id: 1 });
	expect((await failureOf(unknown))?.message).toMatch(/which status/);
});

it.each<[Row, CaseUpdate, boolean]>([
	[{ metadata: { a: '1', b: 2 } }, { metadata: { a: '1', b: '2' } }, false],
	[{ metadata: { a: '1' } }, { metadata: { a: '2' } }, true],
	[{ metadata: {} }, { remove_metadata_keys: ['a'] }, false],
	[{ metadata: { a: '1' } }, { remove_metadata_keys: ['a'] }, true],
	[{}, { metadata: { a: '1' } }, true],
	[{ fields: [FIELD, { value: 'x' }] }, { field_values: { 32: 'benign' } }, false],
	[{ fields: [FIELD] }, { field_values: { 33: 'x' } }, true],
	[{}, { field_values: { 32: 'benign' } }, true],
	[{ sub_status: { id: '13' } }, { sub_status_id: 13 }, false],
	[{ sub_status: { id: 12 } }, { sub_status_id: 13 }, true],
])('A case %j updated by %j changes: %s', (row, update, changed) => {
	expect(changeOf(row, update).changed).toBe(changed);
});

it.each<['comments' | 'tasks', Row]>([
	['comments', { id: 3, value: 'A' }],
	['tasks', { task: { id: '3', description: 'A' } }],
])('An entry of %s is changed, and comes with its case', async (list, body) => {
	const { client, requests } = answering(() => body);
	expect(await updateEntry(client, '7', list, '3', {})).toMatchObject({ case_id: 7 });
	expect(requests[0].path).toBe(`/api/v2/cases/7/${list}/3`);
	expect((await failureOf(updateEntry(client, '7', list, '4', {})))?.message).toMatch(/conf/);
});
