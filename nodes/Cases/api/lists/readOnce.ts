import type { Row } from '../types';
import { ListRead } from './listRead';
import type { ListSource, ReadOptions } from './source';

/**
 * Reads all pages of a list once: the first, the last that it states, those between and meanwhile a look whether the first
 * has moved, then a look whether the last row has, and what came since. Without page counts, or where the last page is
 * empty, they are read one by one.
 *
 * The number of the last page says how many rows come up to its last row. If that row is still at its place when all
 * pages have come, and the first page hadn't moved when the last one came, nothing moved between them.
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
	const { entries } = last !== undefined && last > 1 ? await list.read(last) : list.first;
	if (last === undefined || entries.length === 0) {
		await list.readOn(2);
		return list;
	}
	const place = (last - 1) * list.size + entries.length;
	const [lastOfFirst, lastRow] = [list.first.entries.at(-1)?.id, entries.at(-1)?.id];
	const look = last === 1 ? { id: lastOfFirst } : list.rowAt(list.size);
	const [first] = await Promise.all([look, list.readPages(2, last - 1)]);
	const end = await list.rowAt(place);
	list.atEnd = end;
	if (end.stated !== place) await list.readOn(entries.length < list.size ? last : last + 1);

	const ids = [...list.entries().keys()];
	const isHeld = first.id === lastOfFirst && end.id === lastRow;
	if (isHeld && ids.indexOf(lastRow ?? '') + 1 === place) {
		list.proof = end.stated === place && ids.length === place ? 'same length' : 'in place';
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
