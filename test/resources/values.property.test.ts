import fc from 'fast-check';
import type { INodeProperties, INodePropertyCollection, INodePropertyOptions } from 'n8n-workflow';
import qs from 'qs';
import { InvalidInput } from '../../nodes/Cases/api/failures/failure';
import { isObject } from '../../nodes/Cases/api/json';
import type { ApiRequest } from '../../nodes/Cases/api/http/requests';
import type { Files } from '../../nodes/Cases/n8n/files';
import { Notes } from '../../nodes/Cases/n8n/hints';
import { ItemFailure } from '../../nodes/Cases/n8n/run';
import { RESOURCES } from '../../nodes/Cases/resources/operations';
import { answering } from '../api/answering';
import { OPERATIONS, parametersOf } from '../support/operations';
import { PROPERTY_TIMES } from '../support/propertyTimes';
import { byId } from '../support/runs';

type Values = Record<string, unknown>;

/** The kinds of the fields whose form doesn't show it, by the names that workflows store. */
const KINDS: Record<string, string[]> = {
	names: [
		...['and_tags', 'tags', 'or_tags', 'excluded_tags', 'tag_names', 'add_tag_names'],
		...[
			'remove_tag_names',
			'remove_metadata_keys',
			'activityTypes',
			'recordTypes',
			'tasks',
			'fields',
			'inputBinaryField',
		],
	],
	// A user ID has any characters but blanks, as an email address may have.
	emails: [
		...['assignee_emails', 'author_emails', 'add_assignee_emails', 'remove_assignee_emails'],
		'assignees',
	],
	email: ['author_email'],
	id: [
		...['team_id', 'commentId', 'fileId', 'recordId', 'sub_status_id', 'field_values.pair.key'],
		'recordFields.field.field',
	],
	ids: ['case_ids', 'linkedCaseIds'],
	text: [
		...['search', 'name', 'description', 'text', 'message', 'comment', 'fileName', 'template_id'],
		...['outputBinaryField', 'matchLabel', 'label', 'action_text'],
		...['actions.action.label', 'actions.action.action_text', 'choices.choice.text'],
		...['choices.choice.value', 'approvalOptions.values.approveLabel'],
		'approvalOptions.values.disapproveLabel',
	],
	url: ['url', 'matchUrl', 'actions.action.url'],
	key: ['metadata.pair.key', 'other.filter.name'],
	value: ['metadata.pair.value', 'recordFields.field.value'],
	values: ['other.filter.value', 'field_values.pair.value', 'records'],
	json: ['actionsJson'],
};
/** The fields that aren't drawn, and why. */
const LEFT_OUT: Record<string, string> = {
	actionsFrom: 'n8n reads no expression in it',
	length: 'is hidden: it shows that one expression stands for a whole collection',
	concurrency: 'is read once for all items, outside of the operations',
	maxRetries: 'as concurrency',
	timeout: 'as concurrency',
};

interface Place {
	operation: string;
	/** The name of the field, after those of its group and row, where it has them. */
	name: string;
	kind?: string;
	form: INodeProperties;
	/** How refusals may call the field. */
	labels: string[];
	/** Parameters with the field, and with those of other fields that it shows for. */
	put: (field: Values) => Values;
}

function kindOf(name: string, { type, options = [] }: INodeProperties): string | undefined {
	const known = Object.keys(KINDS).find((kind) => KINDS[kind].includes(name));
	if (known !== undefined || name in LEFT_OUT) return known;
	if (type === 'options' && options.length > 0) return 'choice';
	if (type === 'multiOptions' && options.length > 0) return 'choices';
	const kinds = { boolean: 'switch', dateTime: 'date', number: 'whole', resourceLocator: 'id' };
	return kinds[type as keyof typeof kinds];
}

const ID = '4711';
/** What the other fields of a row have, by the name of the row. */
const ROWS: Record<string, Values> = {
	pair: { key: ID, value: 'v' },
	filter: { name: 'n', value: 'v' },
	field: { field: ID, value: 'v' },
	action: { label: 'l', url: 'https://a.example', action_type: 'page' },
	choice: { text: 't', value: 'v' },
};

/** The places of fields. @param around puts their parameters into what the fields are in */
function placesIn(
	operation: string,
	forms: INodeProperties[],
	around: Place['put'] = (field) => field,
	names: string[] = [],
	labels: string[] = [],
): Place[] {
	return forms.flatMap((form) => {
		const { name, type, displayName, typeOptions, displayOptions } = form;
		const show = Object.entries(displayOptions?.show ?? {});
		const shown = Object.fromEntries(show.map(([key, values]) => [key, values?.[0]]));
		const put = (field: Values) => ({ ...shown, ...around(field) });
		const putIn = (inner: Values) => put({ [name]: inner });
		if (type === 'collection') {
			return placesIn(operation, form.options as INodeProperties[], putIn, names);
		}
		if (type !== 'fixedCollection') {
			const path = [...names, name].join('.');
			const own = [displayName, ...labels, `Action 1: ${name}`];
			return [{ operation, name: path, kind: kindOf(path, form), form, labels: own, put }];
		}
		const groups = form.options as INodePropertyCollection[];
		return groups.flatMap((group) => {
			const inRow = (field: Values) => {
				const row = { ...ROWS[group.name], ...field };
				return putIn({ [group.name]: typeOptions?.multipleValues ? [row] : row });
			};
			const path = [...names, name, group.name];
			return placesIn(operation, group.values, inRow, path, [displayName]);
		});
	});
}

/** Every field of every operation. */
const PLACES = OPERATIONS.flatMap((operation) => {
	const [resource, name] = operation.split('.');
	return placesIn(operation, RESOURCES[resource].operations[name].form);
});
const placesOf = (kind: string) => PLACES.filter((place) => place.kind === kind);
const ALL_KINDS = [...new Set(PLACES.flatMap(({ kind }) => kind ?? []))];

/** What else an operation needs, so that only the field decides. */
const NEEDED: Values = {
	...{ caseId: byId(7), teamId: byId(1), name: 'n', text: 't', message: 'm', output: 'raw' },
	...{ commentId: '1', taskId: byId(1), recordId: '1', fileId: '1', recordTypeId: byId(ID) },
	...{ label: 'l', url: 'https://a.example', linkedCaseIds: '8' },
};

/** A file in each binary field of the input. */
const FILES: Files = {
	ofItem: () => ({}),
	find: async () =>
		await Promise.resolve({ name: 'a', size: 1, read: async () => Buffer.from('a') }),
	store: async () => await Promise.reject(new Error('Nothing is downloaded')),
};

/** What the service answers: the cases that are requested by their IDs, two record types, and no other rows. */
function answer({ path }: ApiRequest) {
	const { filters, page } = queryOf(path) as { filters?: { case_ids?: string[] }; page?: string };
	const record_fields = [ID, '815'].map((id) => ({ id, name: 'ip', result_type: 'STRING' }));
	const types = [ID, '815'].map((id) => ({ id, name: 'Host', record_fields }));
	const cases = filters?.case_ids?.map((id) => ({ case_id: Number(id), activities: [] })) ?? [];
	const rows = page === '1' ? { cases, record_types: types } : { cases: [], record_types: [] };
	return { ...rows, id: 1, comments: [], actions: [], meta: {} };
}

const queryOf = (path: string) => qs.parse(path.split('?')[1] ?? '');

const ABSENT = Symbol('absent');

/** Runs an operation with a value in a field, as an expression returned it. */
async function outcomeOf(place: Place, value: unknown) {
	const { operation, name: path, form: field, labels, put } = place;
	const [resource, name] = operation.split('.');
	const { client, requests } = answering(answer);
	const entered = (one: unknown): Values => {
		if (one === ABSENT) return put(path.includes('.') ? { [field.name]: undefined } : {});
		return put({ [field.name]: field.type === 'resourceLocator' ? byId(one) : one });
	};
	const { form, execute } = RESOURCES[resource].operations[name];
	const example = parametersOf(operation);
	const given: Values = {
		...Object.fromEntries(form.map((one) => [one.name, one.default])),
		...{ ...example, ...NEEDED, ...entered(value) },
	};
	// An update of nothing would be refused.
	given.updateFields = Object.assign({}, example.updateFields, given.updateFields);
	const stored = value === ABSENT ? {} : entered('={{ $json.value }}');
	const asked: unknown[] = [];
	const outcome = await execute({
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
		waiting: () => ({
			input: {},
			signUrl: () => 'https://n8n.example',
			wait: async ({ message, buttons }) => {
				asked.push(message, json(buttons).replace(/"key":"[^"]*",/g, ''));
				await Promise.resolve();
			},
		}),
	}).catch((error: unknown) => (error instanceof ItemFailure ? error.failure : error));
	if (!(outcome instanceof InvalidInput)) {
		const sent = requests.map(({ path, ...one }) => ({
			...one,
			path: path.split('?')[0],
			query: queryOf(path),
		}));
		return { sent: [...sent, asked], outcome: JSON.stringify(outcome) };
	}
	// A refusal that comes after a request would be too late.
	expect([operation, field.name, requests]).toEqual([operation, field.name, []]);
	expect(outcome.description).toMatch(/\w/);
	return { refusal: labels.reduce(generalized, outcome.message) };
}

/** A refusal without the name of its field, and without what differs from field to field. */
const generalized = (message: string, label: string): string =>
	message
		.replace(`'${label}'`, "'the field'")
		.replace(/is not (one of .*|a valid period)/, 'is not one')
		.replace(/must be a whole number.*/, 'must be a whole number')
		// The name of an ID says which field is wrong, and it may be missing where nothing was entered.
		.replace(/^(?:'the field': )?(".*") is not an? .* ID$/, "'the field': $1 is not an ID")
		.replace(/^No .* ID was given$/, "'the field' has an expression that returns no value");

it('Every field of every operation is drawn, or left out with a reason', () => {
	const isDrawn = ({ name, kind }: Place) => kind !== undefined || name in LEFT_OUT;
	const lacking = PLACES.filter((place) => !isDrawn(place));
	expect(lacking.map(({ operation, name }) => `${operation} ${name}`)).toEqual([]);
	const names = new Set(PLACES.map(({ name }) => name));
	const listed = [...Object.values(KINDS).flat(), ...Object.keys(LEFT_OUT)];
	expect(listed.filter((name) => !names.has(name))).toEqual([]);
});

const WORDS = [
	'vip',
	'Ada@Acme.example',
	'x y',
	'🔥',
	'2026',
	'Vip',
	'ｖｉｐ',
	'é',
	'e\u0301',
	'a;b',
];
const word = fc.constantFrom(...WORDS);
/** What is wrong with a value. */
const SPOILED: Record<string, fc.Arbitrary<unknown>> = {
	missing: fc.constantFrom(null, undefined),
	'half an emoji': word.map((one) => `${one}\ud83d`),
	NUL: word.map((one) => `${one}\0`),
	'an object': fc.constant({ a: 1 }),
	'a list with a hole': word.map((one) => [one, null]),
};

/** Whether a field has a reason for words of its own. */
const isSpecial = ({ name }: Place, what: string): boolean =>
	// Whether an object is a time is known only with the type of the record.
	(name === 'recordFields.field.value' && ['an object', 'a list with a hole'].includes(what)) ||
	// An input item that is an action may lack what is optional, as in JSON.
	(['label', 'url', 'action_type', 'action_text'].includes(name) && what === 'missing');

it.each(ALL_KINDS)(
	'A bad value is refused in the same words, before any request, in every field of the kind %s',
	async (kind) => {
		for (const [what, arbitrary] of Object.entries(SPOILED)) {
			await fc.assert(
				fc.asyncProperty(arbitrary, async (value) => {
					const said = new Map<string, string>();
					for (const place of placesOf(kind).filter((one) => !isSpecial(one, what))) {
						const { refusal, ...read } = await outcomeOf(place, value);
						const text = refusal ?? `${what} was taken: ${JSON.stringify(read)}`;
						said.set(text, `${place.operation} ${place.name}`);
					}
					expect([...said]).toHaveLength(1);
					expect([...said.keys()][0]).toMatch(/^('the field'|Could not read 'the field'|Action 1)/);
				}),
				{ numRuns: 2 * PROPERTY_TIMES },
			);
		}
	},
);

/** What a value means in a field, and other ways to write it. */
type Spelling = (place: Place) => { meant: unknown; written: unknown[] };

const spelled = <T>(meant: fc.Arbitrary<T>, ...ways: Array<(one: T) => unknown>) =>
	meant.map(
		(one): Spelling =>
			() => ({ meant: one, written: ways.map((way) => way(one)) }),
	);
/** The same of what a field offers to choose from. */
const chosen = (...ways: Array<(some: string[]) => unknown>) =>
	fc.constant<Spelling>(({ form, kind }) => {
		const options = form.options as INodePropertyOptions[];
		const some = options.slice(-2).map(({ value }) => String(value));
		const meant = kind === 'choice' ? some[0] : some;
		return { meant, written: ways.map((way) => way(some)) };
	});
const some = <T>(...entries: T[]) =>
	fc.uniqueArray(fc.constantFrom(...entries), { minLength: 1, maxLength: 4 });
const padded = (one: unknown) => ` ${String(one)} `;
const upper = (one: string) => one.toUpperCase();
const asNumber = (one: string) => (Number.isNaN(Number(one)) ? one : Number(one));
const json = (value: unknown) => JSON.stringify(value);
/** A list as one text. */
const separated = (...by: string[]) =>
	by.map((one) => (list: string[]) => `${list.map(padded).join(one)}${one}`);
const numbers = (list: string[]) => list.map(asNumber);
const withBlanks = (list: string[]) => ['', ...list.map(padded)];

const DATE = '2026-01-31T09:00:00Z';
const ACTION = { label: 'vip', url: 'https://b.example', action_type: 'page' };
const SPELLINGS: Record<string, fc.Arbitrary<Spelling>> = {
	names: spelled(some(...WORDS), ...separated(',', '\n'), json, numbers, withBlanks),
	emails: spelled(
		some('ada@a.example', 'kim@a.example', 'x+y@b.example'),
		...[...separated(',', ';', '\n'), json, withBlanks, (list: string[]) => list.map(upper)],
	),
	email: spelled(fc.constant('ada@a.example'), padded, upper),
	id: spelled(
		fc.constant('815'),
		Number,
		padded,
		(id) => `#${id}`,
		(id) => `00${id}`,
	),
	ids: spelled(
		some('8', '15', '815'),
		...[...separated(',', ';', '\n'), json, withBlanks, numbers],
		(list) => json(numbers(list)),
		(list) => list.map((id) => `#0${id}`),
	),
	text: spelled(fc.constantFrom(...WORDS), asNumber),
	url: spelled(fc.constant('https://b.example/x'), padded),
	key: spelled(fc.constantFrom('2026', 'Vip', 'vip'), asNumber),
	value: spelled(fc.constantFrom('7', 'true', '"vip"'), (one) =>
		/\d|true/.test(one) ? (JSON.parse(one) as unknown) : one,
	),
	values: spelled(some(' x ', 'a,b', 'vip', '2026'), json, numbers, (list) => ['', ...list]),
	json: spelled(fc.constant([ACTION]), json, (actions) => ({ actions })),
	date: spelled(
		fc.constant(DATE),
		...[padded, Date.parse, (date: string) => Date.parse(date) / 1000],
		...[(date: string) => new Date(date), () => '2026-01-31 10:00+01:00'],
	),
	switch: spelled(fc.boolean(), String, Number, (one) => padded(one).toUpperCase()),
	whole: fc.constant(({ form: { typeOptions } }) => {
		const { minValue } = typeOptions as { minValue: number };
		return { meant: minValue, written: [String(minValue), padded(minValue)] };
	}),
	choice: chosen(
		([one]) => one.toLowerCase(),
		([one]) => padded(upper(one)),
	),
	choices: chosen(...separated(',', ';', '\n'), json, withBlanks, (list) => list.map(upper)),
};

/** The fields that decide what is read, deleted or returned, or that are sent as something else. */
const UNSENT = [
	...['activityTypes', 'recordTypes', 'fields', 'output', 'loadInFull', 'sections'],
	...['created_within', 'resolved_within', 'updated_within', 'matchLabel', 'matchUrl'],
	...['inputBinaryField', 'outputBinaryField', 'responseType'],
	'approvalOptions.values.approvalType',
];

/** An address with capitals is sent to filters in both spellings. */
const comparable = (kind: string, outcome: object): unknown =>
	JSON.parse(json(outcome), (_name, one: unknown) => {
		const isRead = kind !== 'emails' || !Array.isArray(one);
		return isRead ? one : [...new Set(one.map((entry) => asText(entry).toLowerCase()))].sort();
	});
const asText = (value: unknown): string => (typeof value === 'string' ? value : json(value));

it.each(ALL_KINDS)(
	'A value of the kind %s means the same however it is written, in every field',
	async (kind) => {
		const unsent = new Set<string>();
		await fc.assert(
			fc.asyncProperty(SPELLINGS[kind], async (spelling) => {
				for (const place of placesOf(kind)) {
					const at = { operation: place.operation, name: place.name };
					const { meant, written } = spelling(place);
					const plain = await outcomeOf(place, meant);
					expect({ ...at, meant, refusal: plain.refusal }).toEqual({ ...at, meant });
					for (const value of written) {
						const read = comparable(kind, await outcomeOf(place, value));
						expect({ ...at, value, read }).toEqual({ ...at, value, read: comparable(kind, plain) });
					}
					const sent = json(plain.sent).toLowerCase();
					const texts = [meant].flat().map((one) => json(isObject(one) ? one.label : one));
					const isSent = texts.every((one) =>
						sent.includes(one.replace(/^"|"$/g, '').toLowerCase()),
					);
					if (!isSent) unsent.add(place.name);
				}
			}),
			{ numRuns: 2 * PROPERTY_TIMES },
		);
		// A switch or a number may be that of another field.
		if (!['switch', 'whole'].includes(kind)) {
			const names = new Set(placesOf(kind).map(({ name }) => name));
			expect([...unsent].sort()).toEqual(UNSENT.filter((name) => names.has(name)).sort());
		}
	},
);

it.each(ALL_KINDS)('Blanks leave a field of the kind %s out, or are refused', async (kind) => {
	// Without a chosen field, only the ID of a case is returned.
	for (const place of placesOf(kind).filter(({ name }) => name !== 'fields')) {
		const at = { operation: place.operation, name: place.name };
		const absent = await outcomeOf(place, ABSENT);
		// The value of a pair may be blanks.
		for (const value of kind === 'value' ? [''] : ['', ' \n']) {
			const read = await outcomeOf(place, value);
			if (read.refusal === undefined)
				expect({ ...at, value, read }).toEqual({ ...at, value, read: absent });
		}
	}
});
