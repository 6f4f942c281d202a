import fc from 'fast-check';
import type { INodeProperties } from 'n8n-workflow';
import qs from 'qs';
import { InvalidInput } from '../../nodes/Cases/api/failures/failure';
import type { ApiRequest } from '../../nodes/Cases/api/http/requests';
import type { Files } from '../../nodes/Cases/n8n/files';
import { Notes } from '../../nodes/Cases/n8n/hints';
import { ItemFailure } from '../../nodes/Cases/n8n/run';
import { RESOURCES } from '../../nodes/Cases/resources/operations';
import { answering } from '../api/answering';
import { EXAMPLES, OPERATIONS } from '../support/operations';
import { PROPERTY_TIMES } from '../support/propertyTimes';
import { byId } from '../support/runs';

type Values = Record<string, unknown>;

/** The fields of each kind, by the names that workflows store. A field with another name may not be of such a kind. */
const KINDS: Record<string, string[]> = {
	names: [
		...['and_tags', 'tags', 'or_tags', 'excluded_tags', 'tag_names', 'add_tag_names'],
		...['remove_tag_names', 'activityTypes', 'recordTypes', 'fields'],
	],
	emails: ['assignee_emails', 'author_emails', 'add_assignee_emails', 'remove_assignee_emails'],
	email: ['author_email'],
	text: ['search', 'name', 'description', 'text', 'message', 'matchLabel', 'matchUrl'],
	// Keys of other pairs are IDs.
	pairs: ['metadata'],
};

interface Place {
	operation: string;
	kind: string;
	field: INodeProperties;
	/** The collection that has the field. */
	collection?: string;
}

const kindOf = (form: INodeProperties): string | undefined => {
	const { name, type, options, noDataExpression } = form;
	// Those that n8n doesn't read as expressions, and those of a single action, which are read with it.
	if (noDataExpression === true || form.displayOptions?.show?.actionsFrom) return undefined;
	if (type === 'boolean') return 'switch';
	if (type === 'dateTime') return 'date';
	if (type === 'options') return options?.length ? 'choice' : undefined;
	return Object.keys(KINDS).find((kind) => KINDS[kind].includes(name));
};

/** Every field of a known kind, of every operation. */
const PLACES = OPERATIONS.flatMap((operation): Place[] => {
	const [resource, name] = operation.split('.');
	return RESOURCES[resource].operations[name].form.flatMap((form) => {
		const isCollection = form.type === 'collection';
		const fields = isCollection ? (form.options as INodeProperties[]) : [form];
		return fields.flatMap((field): Place[] => {
			const kind = kindOf(field);
			const collection = isCollection ? form.name : undefined;
			return kind === undefined ? [] : [{ operation, kind, field, collection }];
		});
	});
});

/** What else an operation needs, so that only the field decides. */
const NEEDED: Values = {
	...{ caseId: byId(7), teamId: byId(1), name: 'n', text: 't', message: 'm' },
	...{ commentId: '1', taskId: byId(1), recordId: '1', fileId: '1', recordTypeId: byId(1) },
};

const atExpression = (value: unknown): unknown =>
	typeof value === 'object' && value !== null && !Array.isArray(value) && 'pair' in value
		? { pair: [{ key: 'k', value: '={{ $json.value }}' }] }
		: '={{ $json.value }}';

/** A file in each binary field of the input. */
const FILES: Files = {
	ofItem: () => ({}),
	find: async () =>
		await Promise.resolve({ name: 'a', size: 1, read: async () => Buffer.from('a') }),
	store: async () => await Promise.reject(new Error('Nothing is downloaded')),
};

/** Runs an operation with a value in a field, as an expression returned it. */
async function outcomeOf({ operation, field, collection }: Place, value: unknown) {
	const [resource, name] = operation.split('.');
	const { client, requests } = answering(() => ({
		cases: [],
		comments: [],
		actions: [],
		meta: {},
	}));
	const inCollection = (one: unknown): Values =>
		collection === undefined ? { [field.name]: one } : { [collection]: { [field.name]: one } };
	const { form, execute } = RESOURCES[resource].operations[name];
	const defaults = Object.fromEntries(form.map((one) => [one.name, one.default]));
	const given: Values = {
		...defaults,
		...EXAMPLES[operation].parameters,
		...NEEDED,
		...inCollection(value),
	};
	if (operation === 'case.update')
		given.updateFields = { priority: 'low', ...(given.updateFields as object) };
	const stored: Values = inCollection(atExpression(value));
	if (field.name === 'fields') given.output = 'selected';
	const failure = await execute({
		itemCount: 1,
		client,
		timezone: 'UTC',
		startedAt: 1e12,
		continueOnFail: false,
		parameter: (key, _item, fallback) => (key in given ? given[key] : fallback),
		stored: (key) => stored[key],
		readShared: async (_key, read) => await read(),
		notes: new Notes(),
		files: () => FILES,
		waiting: () => ({ input: {}, signUrl: () => 'https://n8n.example', wait: async () => {} }),
	}).then(
		() => undefined,
		(error: unknown) => (error instanceof ItemFailure ? error.failure : error),
	);
	if (!(failure instanceof InvalidInput)) return { read: meaningOf(requests, field.name) };
	// A refusal that comes after a request would be too late.
	expect(requests).toEqual([]);
	expect(failure.message).toContain(field.displayName);
	expect(failure.description).toMatch(/\w/);
	return { refusal: failure.message.replace(field.displayName, 'the field') };
}

/** What a field says in the request; undefined where the request doesn't have it. */
function meaningOf(
	[{ path, body } = { path: '' } as ApiRequest]: ApiRequest[],
	name: string,
): unknown {
	const { filters } = qs.parse(path.split('?')[1] ?? '') as { filters?: Values };
	return body?.[name] ?? filters?.[name];
}

const word = fc.constantFrom('vip', 'Ada@Acme.example', 'x y', '🔥', '2026');
/** What is wrong with a value, or what is special about it, by its kind. */
const SPOILED: Record<string, fc.Arbitrary<unknown>> = {
	missing: fc.constantFrom(null, undefined),
	'half an emoji': word.map((one) => `${one}\ud83d`),
	NUL: word.map((one) => `${one}\0`),
	'an object': fc.constant({ a: 1 }),
	'a list with a hole': word.map((one) => [one, null]),
};

const placesOf = (kind: string) => PLACES.filter((place) => place.kind === kind);

it('is about every kind of value', () => {
	expect(new Set(PLACES.map(({ kind }) => kind))).toEqual(
		new Set([...Object.keys(KINDS), 'switch', 'date', 'choice']),
	);
});

it.each([...Object.keys(KINDS), 'switch', 'date', 'choice'])(
	'A bad value is refused in the same words, before any request, in every field of the kind %s',
	async (kind) => {
		for (const [what, arbitrary] of Object.entries(SPOILED)) {
			if (kind === 'pairs' && what === 'a list with a hole') continue;
			await fc.assert(
				fc.asyncProperty(arbitrary, async (given) => {
					const value = kind === 'pairs' ? { pair: [{ key: 'k', value: given }] } : given;
					const said = new Map<string, string>();
					for (const place of placesOf(kind)) {
						const { refusal, ...read } = await outcomeOf(place, value);
						const words = refusal ?? `${what} was taken: ${JSON.stringify(read)}`;
						// The values to choose from differ.
						said.set(
							words.replace(/is not (one of .*|a valid period)/, 'is not one'),
							`${place.operation} ${place.field.name}`,
						);
					}
					expect([...said]).toHaveLength(1);
					expect([...said.keys()][0]).toMatch(/^'the field'/);
				}),
				{ numRuns: 2 * PROPERTY_TIMES },
			);
		}
	},
);

it.each<[string, unknown, unknown]>([
	['names', 'a, b\nc;d', ['a', 'b', 'c;d']],
	['names', [' a ', 'b, c', 2026, ''], ['a', 'b, c', '2026']],
	['names', '["a", "b, c"]', ['a', 'b, c']],
	['names', 2026, ['2026']],
	[
		'emails',
		'A@a.example; b@a.example\nc@a.example',
		['a@a.example', 'b@a.example', 'c@a.example'],
	],
	['emails', ['a@a.example , b@a.example'], ['a@a.example', 'b@a.example']],
	['text', 'a  b 🔥', 'a  b 🔥'],
	['text', 7, '7'],
	[
		'pairs',
		{
			pair: [
				{ key: 'a.b', value: 7 },
				{ key: ' c ', value: true },
			],
		},
		{ 'a.b': '7', ' c ': 'true' },
	],
	['date', '2026-01-31T09:00:00Z', '2026-01-31T09:00:00Z'],
	['date', 1769850000, '2026-01-31T09:00:00Z'],
])(
	'A value of the kind %s means the same in every filter and write: %j',
	async (kind, value, meant) => {
		let sent = 0;
		for (const place of placesOf(kind)) {
			const { refusal, read } = await outcomeOf(place, value);
			expect([place.operation, place.field.name, refusal]).toEqual([
				place.operation,
				place.field.name,
				undefined,
			]);
			if (read === undefined) continue;
			// Filters of emails have both spellings.
			const isEmails = Array.isArray(read) && kind === 'emails';
			const unlike = isEmails ? read.filter((one) => !/[A-Z]/.test(String(one))).sort() : read;
			expect([place.operation, place.field.name, unlike]).toEqual([
				place.operation,
				place.field.name,
				meant,
			]);
			sent++;
		}
		expect(sent).toBeGreaterThan(2);
	},
);
