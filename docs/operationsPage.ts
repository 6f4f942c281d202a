import type {
	ICredentialType,
	INodeProperties,
	INodePropertyCollection,
	INodePropertyOptions,
	INodeTypeDescription,
} from 'n8n-workflow';

type Entry = INodePropertyOptions | INodeProperties | INodePropertyCollection;

/** What many fields say, and the introduction once. */
const SAID_ONCE = [
	/Suggestions come from .* expression\.$/,
	/Times without a time zone are .*$/,
	/To use the case of each input item, drag its case_id into this field\./,
];

/** A description without HTML, line breaks and what is said once. */
function plainText(text: string): string {
	return SAID_ONCE.reduce((rest, said) => rest.replace(said, ''), text.replace(/<[^>]+>/g, ''))
		.replace(/\s+/g, ' ')
		.trim();
}

function sentence(text: string | undefined): string {
	if (text === undefined || text === '') return '';
	return /[.!?]$/.test(text) ? plainText(text) : `${plainText(text)}.`;
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

/** The default, if it says anything. An entry of a collection has no effect until it is added, so its default says nothing. */
function defaultOf({ default: value, type }: INodeProperties, isEntry: boolean): string {
	const given = type === 'resourceLocator' ? (value as { value: unknown }).value : value;
	if (isEntry && type !== 'number') return '';
	if (given === '' || (typeof given === 'object' && JSON.stringify(given).length === 2)) return '';
	if (typeof given === 'boolean') return given ? 'on' : 'off';
	return `\`${Array.isArray(given) ? given.join(', ') : textOf(given)}\``;
}

function effectOf(field: INodeProperties): string {
	const choices = choicesOf(field).map(({ name, value, description }) => {
		const what = description === undefined ? '' : ` (${plainText(description)})`;
		// The API's own values and names are the labels in other letters.
		const isPlain = String(value).toLowerCase().replaceAll('_', ' ') === name.toLowerCase();
		return `${name}${isPlain ? '' : ` \`${String(value)}\``}${what}`;
	});
	return [
		sentence(field.description),
		sentence(field.hint),
		choices.length > 0 ? `Choices: ${choices.join('; ')}.` : '',
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
					return choice?.name ?? (value === '' ? 'empty' : String(value));
				});
				return `${other?.displayName ?? path} ${word} ${names.join(' or ')}`;
			});
	const { show, hide } = field.displayOptions ?? {};
	return [...describe(show, 'is'), ...describe(hide, 'is not')].join(', ');
}

/** What tells two fields apart; the same field of two operations differs in where it is shown and what its case is for. */
function identityOf(field: INodeProperties): string {
	const description = field.name === 'caseId' ? undefined : field.description;
	return JSON.stringify({ ...field, displayOptions: undefined, description });
}

/** Writes forms as lists. A field that an earlier form has is only named there, with a link. */
function createFormWriter() {
	const written = new Map<string, string>();
	/** @param outer the forms around a collection; their fields may decide what the collection shows */
	return function writeForm(
		fields: INodeProperties[],
		heading: string,
		outer: INodeProperties[][] = [],
	): string {
		const indent = '  '.repeat(outer.length);
		const lines: string[] = [];
		const known: string[] = [];
		for (const field of fields.filter(({ type }) => type !== 'hidden')) {
			const { displayName, name, type } = field;
			const when = shownWhen(field, [...outer, fields].flat());
			const condition = when === '' ? '' : `, if ${when}`;
			if (type === 'notice') {
				lines.push(
					`${indent}- ${plainText(displayName)}${condition && ` (${condition.slice(2)})`}`,
				);
				continue;
			}
			const place = written.get(identityOf(field));
			if (place !== undefined) {
				known.push(`[${displayName}](#${anchorOf(place)})`);
				continue;
			}
			written.set(identityOf(field), heading);
			const value = defaultOf(field, outer.length > 0);
			const head = `**${displayName}** \`${name}\`${value && ` (${value})`}${condition}`;
			lines.push(`${indent}- ${head}: ${effectOf(field)}`.replace(/: $/, ''));
			const inner = innerFieldsOf(field);
			if (inner.length > 0) lines.push(writeForm(inner, heading, [...outer, fields]));
		}
		if (known.length > 0)
			lines.push(`${indent}- ${lines.length > 0 ? 'Also ' : ''}${known.join(', ')}`);
		return lines.filter((line) => line !== '').join('\n');
	};
}

function isFor(field: INodeProperties, resource: unknown, operation: unknown): boolean {
	const { show } = field.displayOptions ?? {};
	const matches = (values: unknown, value: unknown) =>
		values === undefined || (values as unknown[]).includes(value);
	return matches(show?.resource, resource) && matches(show?.operation, operation);
}

type WriteForm = ReturnType<typeof createFormWriter>;

/** The fields of a node whose form depends on a resource and an operation. */
function writeResources(properties: INodeProperties[], writeForm: WriteForm): string[] {
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
				writeForm(fields, heading),
			].join('\n\n');
		});
	});
}

/** Writes the page of all operations and fields, from what the nodes and the credential describe themselves. */
export function writeOperationsPage(
	nodeDescriptions: INodeTypeDescription[],
	credentialTypes: ICredentialType[],
): string {
	const writeForm = createFormWriter();
	const nodes = nodeDescriptions.flatMap(({ displayName, description, properties }) => {
		const head = [`## ${displayName}`, sentence(description)];
		return properties.some(({ name }) => name === 'resource')
			? [...head, ...writeResources(properties, writeForm)]
			: [...head, writeForm(properties, displayName)];
	});
	const credentials = credentialTypes.flatMap(({ displayName, properties }) => [
		`## Credential: ${displayName}`,
		writeForm(properties, displayName),
	]);
	const intro = [
		'<!-- Written by docs/generate.ts. Change the descriptions in nodes/ and run "npm run docs". -->',
		'# Operations and fields',
		'Every field of the nodes and the credential, as the editor shows it: its label, the name that a workflow stores, its default, and what it does. A field of several operations is described at the first of them.',
		"Under Filters and Options, only what you add has an effect. Lists of tags, users, teams and types show suggestions; enter other values with an expression. Times without a time zone are in the workflow's time zone. A date without a time means 00:00. To use the case of each input item, drag its `case_id` into Case.",
	];
	return `${[...intro, ...nodes, ...credentials].join('\n\n')}\n`;
}
