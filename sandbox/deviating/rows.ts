import type { Deviations, ListName } from '../deviations';
import { randomOf } from '../random';
import { withWrittenTimes } from './clock';
import { isHit } from './hits';

type Row = Record<string, unknown>;

/** Whether rows of any list differ from the document. */
export function hasOtherRows({ rows, clock }: Deviations): boolean {
	return Boolean(rows?.fields ?? rows?.volatile ?? clock?.format);
}

/**
 * The rows of one page, changed as the deviations say.
 *
 * @param caseId of the case that the list belongs to; without it the rows are cases
 * @param turn a number that differs with each answer
 */
export function deviatingRows(
	{ rows = {}, clock }: Deviations,
	name: ListName,
	items: readonly unknown[],
	{ caseId, turn }: { caseId?: number; turn: number },
): unknown[] {
	return items.map((item) => {
		let row = item as Row;
		const id = caseId ?? Number(row.case_id);
		if (name === 'cases') row = shuffled(row, rows.volatile ?? [], turn);
		if (clock?.format) row = withWrittenTimes(clock, row) as Row;
		for (const patch of rows.fields ?? []) {
			if ((patch.list ?? 'cases') === name && isHit(patch, id)) setAt(row, patch.path, patch);
		}
		return row;
	});
}

/** Sets or removes the field at a path such as `tags.*.name`, where it is. */
function setAt(target: unknown, path: string, patch: { value?: unknown }): void {
	if (typeof target !== 'object' || target === null) return;
	const [name, ...rest] = path.split('.');
	const members = target as Row;
	for (const key of name === '*' ? Object.keys(members) : [name]) {
		if (rest.length > 0) setAt(members[key], rest.join('.'), patch);
		else if ('value' in patch) members[key] = patch.value;
		else delete members[key];
	}
}

/** A case in which something unimportant differs with each turn. */
function shuffled(
	row: Row,
	volatile: ReadonlyArray<'urls' | 'sla' | 'tagOrder' | 'actionOrder' | 'keyOrder'>,
	turn: number,
): Row {
	let changed = row;
	const set = (fields: Row) => {
		changed = { ...changed, ...fields };
	};
	const mixed = (list: unknown) =>
		Array.isArray(list) ? randomOrder(list as unknown[], turn) : list;
	if (volatile.includes('urls')) {
		set({
			url: `${String(row.url)}?signature=${turn}`,
			author: withSignedAvatar(row.author, turn),
		});
	}
	if (volatile.includes('sla')) set({ sla: { elapsed_seconds: 100 + turn } });
	if (volatile.includes('tagOrder')) set({ tags: mixed(row.tags) });
	if (volatile.includes('actionOrder')) set({ actions: mixed(row.actions) });
	if (volatile.includes('keyOrder')) {
		changed = Object.fromEntries(randomOrder(Object.entries(changed), turn));
	}
	return changed;
}

function withSignedAvatar(author: unknown, turn: number): unknown {
	if (typeof author !== 'object' || author === null) return author;
	return { ...author, avatar_url: `https://avatars.example.com/1.png?signature=${turn}` };
}

/** The elements in an order that depends on the turn. */
export function randomOrder<T>(list: readonly T[], turn: number): T[] {
	const random = randomOf(turn);
	return list
		.map((element) => ({ element, at: random.int(0, 2 ** 30) }))
		.sort((a, b) => a.at - b.at)
		.map(({ element }) => element);
}
