import type { IBinaryKeyData, IDataObject } from 'n8n-workflow';
import type { NodeRun } from '../../tools/engine/node';

/** A case locator as the editor stores it. */
export const byId = (value: unknown) => ({ __rl: true, mode: 'id', value });
export const byUrl = (value: unknown) => ({ __rl: true, mode: 'url', value });

/** The files of an input item, as n8n's store in memory has them. */
export const binaryOf = (files: Record<string, [name: string, content: Buffer]>): IBinaryKeyData =>
	Object.fromEntries(
		Object.entries(files).map(([field, [fileName, content]]) => {
			const data = content.toString('base64');
			return [field, { fileName, data, mimeType: 'text/plain', bytes: content.length }];
		}),
	);

/** The case that each input item names in its field `id`. */
export const OF_ITEM = byId('={{ $json.id }}');

/** Input items that name cases in their field `id`. */
export const itemsWith = (ids: unknown[]): IDataObject[] =>
	ids.map((id) => ({ id }) as IDataObject);

/** Whole numbers from `first` to `last`. */
export const range = (first: number, last: number): number[] =>
	Array.from({ length: last - first + 1 }, (_, index) => first + index);

/** The output as plain rows. @throws Error with n8n's message when the run failed */
export function rowsOf({ status, error, items }: NodeRun): IDataObject[] {
	if (status !== 'success') throw new Error(`The run failed: ${error?.message}`, { cause: error });
	return items.map(({ json }) => json);
}

export const idsOf = (run: NodeRun): unknown[] => rowsOf(run).map(({ case_id }) => case_id);

/** For each output item, the input items it is paired with. */
export const pairsOf = ({ items }: Pick<NodeRun, 'items'>): number[][] =>
	items.map(({ pairedItem }) =>
		[pairedItem ?? []].flat().map((pair) => (typeof pair === 'number' ? pair : pair.item)),
	);

export const hintsOf = ({ hints }: NodeRun): string[] => hints.map(({ message }) => message);

/** What the user reads about a failed run: what happened, how to solve it, and at which item. */
export function failureOf({ status, error }: Pick<NodeRun, 'status' | 'error'>) {
	const { message, description, context, httpCode, name } = (error ?? {}) as {
		message?: string;
		description?: string | null;
		context?: { itemIndex?: number };
		httpCode?: string | null;
		name?: string;
	};
	return { status, name, message, description, httpCode, item: context?.itemIndex };
}

/** The cases that the error of a failed write names, by how far their writes came. */
export function reportOf(description?: string | null) {
	const idsOf = (outcome: string): number[] => {
		const said = new RegExp(`${outcome}: items? ([^.]*)\\.`).exec(description ?? '')?.[1] ?? '';
		return [...said.matchAll(/\(case (\d+)\)/g)].map(([, id]) => Number(id));
	};
	const [failed, perhaps, written, left] = [
		'Failed',
		'Perhaps written',
		'Written',
		'Not started',
	].map(idsOf);
	return { failed, perhaps, written, left };
}
