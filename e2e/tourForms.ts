import {
	NodeHelpers,
	type IDataObject,
	type INodeParameters,
	type INodeProperties,
	type INodePropertyCollection,
	type INodePropertyOptions,
} from 'n8n-workflow';

/** A list that opens in a form. */
export interface ShownList {
	/** Name of the field, or label of the button that opens what can be added. */
	opens: { field: string } | { button: string };
	/** Its entries; undefined if they come from the service. */
	entries?: string[];
}

/** What the editor shows of a form. */
export interface ShownForm {
	/** In the order of the form. */
	labels: string[];
	lists: ShownList[];
}

type Fields = INodeProperties[];

const fieldsOf = ({ options = [] }: INodeProperties) => options as Fields;
const groupsOf = ({ options = [] }: INodeProperties) => options as INodePropertyCollection[];
const choicesOf = ({ options = [] }: INodeProperties) => options as INodePropertyOptions[];

/** The fields that a node has for its operation, whatever the other fields are set to. */
function fieldsFor(properties: Fields, { resource, operation }: INodeParameters): Fields {
	const isFor = (values: unknown[] | undefined, value: unknown) => values?.includes(value) ?? true;
	return properties.filter(
		({ displayOptions: { show = {} } = {} }) =>
			isFor(show.resource, resource) && isFor(show.operation, operation),
	);
}

/** The parameters with every entry added to every collection. */
export function withAllAdded(properties: Fields, parameters: INodeParameters): INodeParameters {
	const added = fieldsFor(properties, parameters)
		.filter(({ type }) => type === 'collection' || type === 'fixedCollection')
		.map((field) => [field.name, addedTo(field)]);
	return { ...(Object.fromEntries(added) as INodeParameters), ...parameters };
}

/** What a field holds after its Add button was pressed until nothing is left to add. */
function addedTo(field: INodeProperties): INodeParameters[string] {
	const isMultiple = field.typeOptions?.multipleValues === true;
	if (field.type === 'collection') return addedToEach(fieldsOf(field));
	if (field.type === 'fixedCollection') {
		const groups = groupsOf(field).map(({ name, values }) => {
			const row = addedToEach(values);
			return [name, isMultiple ? [row] : row];
		});
		return Object.fromEntries(groups) as INodeParameters;
	}
	// The last choice often shows more fields than the first one.
	if (field.type === 'options' && field.options) return choicesOf(field).at(-1)?.value as string;
	return (isMultiple ? [''] : field.default) as INodeParameters[string];
}

const addedToEach = (fields: Fields) =>
	Object.fromEntries(
		fields.filter(({ type }) => type !== 'hidden').map((field) => [field.name, addedTo(field)]),
	);

/** What the editor shows of the node's form with these parameters. */
export function shownForm(properties: Fields, parameters: INodeParameters): ShownForm {
	const node = { typeVersion: 1, parameters };
	const all = NodeHelpers.getNodeParameters(properties, parameters, true, false, node, null) ?? {};

	const formOf = (fields: Fields, values: INodeParameters): ShownForm => {
		const isShown = (field: INodeProperties) =>
			field.type !== 'hidden' && NodeHelpers.displayParameter(values, field, node, null, all);
		const forms = fields.filter(isShown).map((field) => partOf(field, values[field.name], isShown));
		return join(forms);
	};

	const partOf = (
		field: INodeProperties,
		value: unknown,
		isShown: (entry: INodeProperties) => boolean,
	): ShownForm => {
		const { displayName: label, name, type, placeholder = '' } = field;
		if (type === 'notice') return { labels: [], lists: [] };
		if (type === 'collection') {
			const values = value as INodeParameters;
			const open = fieldsOf(field).filter((entry) => entry.type !== 'hidden' && isShown(entry));
			const [added, toAdd] = [true, false].map((isAdded) =>
				open.filter((entry) => entry.name in values === isAdded),
			);
			const inside = formOf(added, values);
			const entries = toAdd.map(({ displayName }) => displayName);
			const lists = entries.length === 0 ? [] : [{ opens: { button: placeholder }, entries }];
			return { labels: [label, ...inside.labels], lists: [...inside.lists, ...lists] };
		}
		if (type === 'fixedCollection') {
			const rows = groupsOf(field).flatMap((group) =>
				[(value as IDataObject)[group.name] ?? []]
					.flat()
					.map((row) => formOf(group.values, row as INodeParameters)),
			);
			const inside = join(rows);
			return { labels: [label, ...inside.labels], lists: inside.lists };
		}
		if (type === 'options' || type === 'multiOptions') {
			const entries = field.options && choicesOf(field).map((choice) => choice.name);
			return { labels: [label], lists: [{ opens: { field: name }, entries }] };
		}
		return { labels: [label], lists: [] };
	};

	return formOf(properties, all);
}

const join = (forms: ShownForm[]): ShownForm => ({
	labels: forms.flatMap(({ labels }) => labels),
	lists: forms.flatMap(({ lists }) => lists),
});

/** The parameters of each form that a choice, or a switch, in this form leads to. */
export function otherForms(properties: Fields, parameters: INodeParameters): INodeParameters[] {
	const fields = fieldsFor(properties, parameters);
	const deciding = new Set(
		fields.flatMap(({ displayOptions }) => Object.keys(displayOptions?.show ?? {})),
	);
	return fields
		.filter(({ name }) => deciding.has(name) && name !== 'resource' && name !== 'operation')
		.flatMap((field) =>
			valuesOf(field)
				.filter((value) => value !== field.default)
				.map((value) => ({ ...parameters, [field.name]: value })),
		);
}

function valuesOf(field: INodeProperties): Array<INodeParameters[string]> {
	if (field.type === 'boolean') return [true, false];
	const values = choicesOf(field).map(({ value }) => value);
	return field.type === 'multiOptions' ? [values as string[]] : values;
}
