import type { Row } from '../types';
import { ListRead } from './listRead';
import type { ListSource, ReadOptions } from './source';

/**
 * Reads all pages of a list once: the first, the last that it states, those between and meanwhile a look whether the first
 * has moved, and what came since. Without page counts they are read one by one.
 *
 * The number of the last page says how many rows come up to its last row. A row that was missed, or one that left, leaves
 * fewer; one that left the first page shows in the look.
 */
export async function readOnce<T extends Row>(
	source: ListSource<T>,
	options: ReadOptions<T>,
): Promise<ListRead> {
	const list = await ListRead.open(source, options);
	const { pages: last } = list.first.meta;
	if (list.endsWith(1)) {
		list.proof = 'single';
		return list;
	}
	if (last === undefined) {
		await list.readOn(2);
		return list;
	}
	const lastPage = (last > 1 ? await list.read(last) : list.first).entries;
	const place = (last - 1) * list.size + lastPage.length;
	const lastRow = lastPage.at(-1);
	const look = last === 1 ? true : list.isFirstHeld();
	const [isHeld] = await Promise.all([look, list.readPages(2, last - 1)]);
	const total = await list.readOn(lastPage.length >= list.size ? last + 1 : last);

	const ids = [...list.entries().keys()];
	if (isHeld && (lastRow ? ids.indexOf(lastRow.id) + 1 : ids.length) === place) {
		list.proof = total === place && ids.length === place ? 'same length' : 'in place';
	}
	return list;
}

/**
 * Reads a list until there are `limit` rows: ceil(limit / page size) requests, more where rows are left out or the service
 * makes smaller pages.
 */
export async function readFirst<T extends Row>(
	source: ListSource<T>,
	options: ReadOptions<T>,
	limit: number,
): Promise<ListRead> {
	// Where rows are left out, small pages would take many requests to fill the limit.
	const pageSize = source.belongs ? options.pageSize : Math.min(options.pageSize, limit);
	let list = await ListRead.open(source, { ...options, pageSize });
	const isContradicted = list.first.entries.some(({ contradicts }) => contradicts !== undefined);
	if (isContradicted && pageSize < options.pageSize) list = await ListRead.open(source, options);
	const isEnough = () => list.found >= limit || (source.endsOutside === true && list.hasOutsider);
	const planned = isEnough() ? 1 : Math.min(list.stated, Math.ceil(limit / list.size));
	await list.readPages(2, planned);
	if (!isEnough() && !list.endsWith(planned)) await list.readOn(planned + 1, isEnough);
	list.isEnough = isEnough();
	return list;
}
