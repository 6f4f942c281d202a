import type { INodeProperties } from 'n8n-workflow';

/** For which operations a field shows. */
export type Show = { resource: string[]; operation: string[] };

/** A field without its names: what several fields of one kind share. */
export type FieldForm = Omit<INodeProperties, 'displayName' | 'name'>;

/**
 * The fields of a collection in alphabetical order of their labels. `localeCompare` would load Node's language data,
 * which takes a quarter of the time that n8n needs to load this package.
 */
export function alphabetically(fields: INodeProperties[]): INodeProperties[] {
	return [...fields].sort((a, b) => (a.displayName < b.displayName ? -1 : 1));
}
