import { readFileSync, writeFileSync } from 'node:fs';
import { basename, join, relative } from 'node:path';
import type {
	ICredentialType,
	INodeProperties,
	INodePropertyCollection,
	INodePropertyOptions,
	INodeType,
} from 'n8n-workflow';

const ROOT = join(__dirname, '..');
const FILE = join(ROOT, 'docs/operations.md');

type Entry = INodePropertyOptions | INodeProperties | INodePropertyCollection;

/** An instance of the class that n8n would load from a built file. */
function load<T>(path: string): T {
	const className = basename(path).split('.')[0];
	// eslint-disable-next-line @typescript-eslint/no-require-imports -- the file is there only after a build
	const module = require(join(ROOT, path)) as Record<string, new () => T>;
	return new module[className]();
}

/** A description without HTML and line breaks; a line break would end a table cell. */
function plainText(text: string): string {
	return text.replace(/<[^>]+>/g, '').replace(/\s+/g, ' ');
}

function sentence(text: string | undefined): string {
	if (text === undefined || text === '') return '';
	return /[.!?]$/.test(text) ? plainText(text) : `${plainText(text)}.`;
}

function table(head: string[], rows: string[][]): string {
	const line = (cells: string[]) =>
		`| ${cells.map((cell) => cell.replaceAll('|', '\\|').trim()).join(' | ')} |`;
	return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

/** The anchor that GitHub gives a heading. */
function anchorOf(heading: string): string {
	return heading
		.toLowerCase()
		.replace(/[^\w\s-]/g, '')
		.replaceAll(' ', '-');
}

function entriesOf(field: INodeProperties): Entry[] {
	return field.options ?? [];
}

/** The fields in a collection or a group of values. */
function innerFieldsOf(field: INodeProperties): INodeProperties[] {
	if (field.type === 'collection') return entriesOf(field) as INodeProperties[];
	if (field.type !== 'fixedCollection') return [];
	return (entriesOf(field) as INodePropertyCollection[]).flatMap(({ values }) => values);
}

function choicesOf(field: INodeProperties): INodePropertyOptions[] {
	const hasChoices = field.type === 'options' || field.type === 'multiOptions';
	return hasChoices ? (entriesOf(field) as INodePropertyOptions[]) : [];
}

/** A value in words; of a group of fields, those of its fields. */
function textOf(value: unknown): string {
	if (typeof value !== 'object' || value === null) return String(value);
	return Object.values(value).map(textOf).join(' ');
}

function defaultOf({ default: value, type }: INodeProperties): string {
	const locator = type === 'resourceLocator' ? (value as { value: unknown }).value : value;
	const isEmpty =
		locator === '' || (typeof locator === 'object' && JSON.stringify(locator).length === 2);
	if (isEmpty) return 'empty';
	if (typeof locator === 'boolean') return locator ? 'on' : 'off';
	return `\`${Array.isArray(locator) ? locator.join(', ') : textOf(locator)}\``;
}

/** An entry of a collection counts once it is added. Only a number also counts before. */
function defaultOnceAdded(field: INodeProperties): string {
	const value = defaultOf(field);
	if (field.type === 'number') return value;
	return value === 'empty' ? '–' : `– (${value} once added)`;
}

function effectOf(field: INodeProperties): string {
	const choices = choicesOf(field).map(({ name, value, description }) => {
		const what = description === undefined ? '' : ` (${plainText(description)})`;
		return `${name} \`${String(value)}\`${what}`;
	});
	return [
		field.required ? 'Required.' : '',
		sentence(field.description),
		sentence(field.hint),
		choices.length > 0 ? `Choices: ${choices.join('; ')}.` : '',
		field.modes ? `${field.modes.map(({ displayName }) => displayName).join(', ')}.` : '',
	]
		.filter((text) => text !== '')
		.join(' ');
}

/** When a field is shown, apart from its resource and operation, in the form's words. */
function shownWhen(field: INodeProperties, all: INodeProperties[]): string {
	const describe = (conditions: Record<string, unknown> | undefined, word: string) =>
		Object.entries(conditions ?? {})
			.filter(([name]) => name !== 'resource' && name !== 'operation')
			.map(([path, values]) => {
				const other = all.find(({ name }) => name === path.replace('/', ''));
				const names = (values as unknown[]).map((value) => {
					if (typeof value === 'boolean') return value ? 'on' : 'off';
					const choice = other && choicesOf(other).find((entry) => entry.value === value);
					return choice?.name ?? String(value);
				});
				return `${other?.displayName ?? path} ${word} ${names.join(' or ')}`;
			});
	const { show, hide } = field.displayOptions ?? {};
	return [...describe(show, 'is'), ...describe(hide, 'is not')].join(', ') || 'always';
}

/** A collection whose table is already in the document. */
interface WrittenCollection {
	title: string;
	fields: INodeProperties[];
}

/** Labels of the collection's fields that the form lacks; undefined if the form has other fields. */
function missingFields(fields: INodeProperties[], known: WrittenCollection): string[] | undefined {
	const texts = fields.map((field) => JSON.stringify(field));
	const missing = known.fields.filter((field) => !texts.includes(JSON.stringify(field)));
	const isSubset = fields.length + missing.length === known.fields.length;
	return isSubset ? missing.map(({ displayName }) => displayName) : undefined;
}

/** Writes the table of a form, followed by tables for its collections that have none yet. */
function createFormWriter() {
	const written: WrittenCollection[] = [];
	/**
	 * @param outer the form that contains a collection; its fields may decide what the collection shows
	 * @param isCollection whether these are the entries of a collection
	 */
	return function writeForm(
		fields: INodeProperties[],
		heading: string,
		depth: number,
		outer: INodeProperties[] = [],
		isCollection = false,
	): string {
		const blocks: string[] = [];
		const visible = fields.filter(({ type }) => type !== 'notice' && type !== 'hidden');
		const rows = visible.map((field) => {
			let effect = effectOf(field);
			const inner = innerFieldsOf(field);
			if (inner.length > 0) {
				const known = written.find((one) => missingFields(inner, one) !== undefined);
				const title = known?.title ?? `${field.displayName} of ${heading}`;
				const link = `[${title}](#${anchorOf(title)})`;
				if (known === undefined) {
					written.push({ title, fields: inner });
					const form = writeForm(inner, title, depth + 1, fields, field.type === 'collection');
					blocks.push(`${'#'.repeat(depth)} ${title}\n\n${form}`);
					effect = `${effect} Fields: ${link}.`;
				} else {
					const missing = missingFields(inner, known) ?? [];
					const without = missing.length > 0 ? `, without ${missing.join(', ')}` : '';
					effect = `${effect} The same as ${link}${without}.`;
				}
			}
			return [
				field.displayName,
				`\`${field.name}\``,
				isCollection ? defaultOnceAdded(field) : defaultOf(field),
				effect,
				shownWhen(field, [...outer, ...fields]),
			];
		});
		const isAlwaysShown = rows.every((row) => row.at(-1) === 'always');
		const notices = fields
			.filter(({ type }) => type === 'notice')
			.map((notice) => {
				const when = shownWhen(notice, [...outer, ...fields]);
				const condition = when === 'always' ? '' : ` (A notice, shown when ${when}.)`;
				return `${plainText(notice.displayName)}${condition}`;
			});
		const head = ['Field', 'Name', 'Default', 'What it does', 'Shown when'];
		const columns = isAlwaysShown ? head.length - 1 : head.length;
		const form = [head, ...rows].map((cells) => cells.slice(0, columns));
		return [...notices, table(form[0], form.slice(1)), ...blocks].join('\n\n');
	};
}

function isFor(field: INodeProperties, resource: unknown, operation: unknown): boolean {
	const { show } = field.displayOptions ?? {};
	const matches = (values: unknown, value: unknown) =>
		values === undefined || (values as unknown[]).includes(value);
	return matches(show?.resource, resource) && matches(show?.operation, operation);
}

type WriteForm = ReturnType<typeof createFormWriter>;

/** A node whose form depends on a resource and an operation. */
function writeResources({ description }: INodeType, writeForm: WriteForm): string[] {
	const { properties } = description;
	const resource = properties.find(({ name }) => name === 'resource') as INodeProperties;
	return choicesOf(resource).flatMap(({ name, value }) => {
		const operation = properties.find(
			(field) => field.name === 'operation' && isFor(field, value, undefined),
		) as INodeProperties;
		return choicesOf(operation).map((choice) => {
			const fields = properties.filter(
				(field) =>
					!['resource', 'operation'].includes(field.name) && isFor(field, value, choice.value),
			);
			const isDefault = resource.default === value && operation.default === choice.value;
			const heading = `${name}: ${choice.name}`;
			return [
				`### ${heading}`,
				`${sentence(choice.description)} Stored as \`${String(value)}\`, \`${String(choice.value)}\`${isDefault ? '; what a new node does' : ''}.`,
				writeForm(fields, heading, 4),
			].join('\n\n');
		});
	});
}

function writeDocument(): string {
	const { n8n } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
		n8n: { nodes: string[]; credentials: string[] };
	};
	const writeForm = createFormWriter();
	const nodes = n8n.nodes.flatMap((path) => {
		const node = load<INodeType>(path);
		const { displayName, description, properties } = node.description;
		const head = [`## Node: ${displayName}`, sentence(description)];
		return properties.some(({ name }) => name === 'resource')
			? [...head, ...writeResources(node, writeForm)]
			: [...head, writeForm(properties, displayName, 3)];
	});
	const credentials = n8n.credentials.flatMap((path) => {
		const { displayName, properties } = load<ICredentialType>(path);
		return [`## Credential: ${displayName}`, writeForm(properties, displayName, 3)];
	});
	const intro = [
		'<!-- Written by docs/generateOperations.ts. Change the descriptions in nodes/ and run "npm run docs". -->',
		'# Operations and fields',
		'Every field of the nodes and the credential, as the editor shows it. "Name" is what a workflow stores and what an expression or a model fills.',
		'A collection, such as Filters or Options, holds what is added to it. Only what you add has an effect, except for numbers: a number that is not added has the default shown.',
	];
	return `${[...intro, ...nodes, ...credentials].join('\n\n')}\n`;
}

const isCheck = process.argv.includes('--check');
const document = writeDocument();
if (!isCheck) {
	writeFileSync(FILE, document);
	console.log(`Wrote ${relative(process.cwd(), FILE)}`);
} else if (readFileSync(FILE, 'utf8') !== document) {
	console.error('docs/operations.md is out of date. Run "npm run docs" and commit the file.');
	process.exitCode = 1;
}
