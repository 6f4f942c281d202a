import { plural } from '../../../n8n/hints';
import type { Style } from './markdown';

/** A line or a block of a section. */
export type Entry = (style?: Style) => string;

/** A section of a text, in entries that stay or are left out as a whole. */
export interface Section {
	/** Undefined for the lines below the title. */
	heading?: string;
	entries: Entry[];
	/** What an entry is. */
	noun: string;
	/** Keeps the first and the last entries, instead of the first ones. */
	keepsEnd?: boolean;
}

/** How many characters a text of sections needs at least, so that each can say what it leaves out. */
export const MIN_LENGTH = 1000;

/** Fewer characters of a value say nothing. */
const MIN_VALUE = 20;

const SEPARATOR = '\n\n';

function withHeading({ heading }: Section, lines: string[]): string {
	const text = lines.join('\n');
	return (heading === undefined ? text : `## ${heading}\n\n${text}`).trim();
}

/** An entry whose values are shortened until it fits; undefined where even the least of them doesn't. */
function shortened(entry: Entry, room: number, max: number, style: Style): string | undefined {
	if (max < MIN_VALUE) return undefined;
	const text = entry({ ...style, max });
	return text.length <= room ? text : shortened(entry, room, Math.floor(max / 2), style);
}

/** A section in at most `budget` characters, unless not even its heading and its remark fit. */
function fit(section: Section, budget: number, style: Style): string {
	const { entries, noun, keepsEnd = false } = section;
	// Between empty lines: in a table it would be a row.
	const remark = (left: number) => (left === 0 ? [] : ['', `(${plural(left, noun)} left out)`, '']);
	let room = budget - withHeading(section, remark(entries.length)).length - SEPARATOR.length;
	// One long value must not take the room of all others.
	const perValue = entries.length === 1 ? room : Math.max(200, Math.floor(room / 4));
	const first: string[] = [];
	const last: string[] = [];
	for (let kept = 0; kept < entries.length; kept++) {
		const isFromEnd = keepsEnd && kept % 2 === 1;
		const index = isFromEnd ? entries.length - 1 - last.length : first.length;
		const text = shortened(entries[index], room, perValue, style);
		if (text === undefined) break;
		if (isFromEnd) last.unshift(text);
		else first.push(text);
		room -= text.length + 1;
	}
	const left = entries.length - first.length - last.length;
	return withHeading(section, [...first, ...remark(left), ...last]);
}

/**
 * Joins sections below a title. The first says what the text is about, so it takes up to half of the room; of the others,
 * who needs less than an equal share gets all it needs, and the rest share what is left.
 * @param maxLength most characters, from {@link MIN_LENGTH}; undefined for no limit
 * @returns the text, and whether something was left out; the text itself says what
 */
export function joinSections(
	title: string,
	sections: Section[],
	maxLength = Infinity,
	style: Style = {},
): { text: string; truncated: boolean } {
	const texts = sections.map((each) =>
		withHeading(
			each,
			each.entries.map((one) => one(style)),
		),
	);
	const join = () => [title, ...texts].join(SEPARATOR);
	const whole = join();
	if (whole.length <= maxLength) return { text: whole, truncated: false };

	let room = maxLength - title.length - SEPARATOR.length * sections.length;
	const [first, ...others] = sections.keys();
	others.sort((a, b) => texts[a].length - texts[b].length);
	[first, ...others].forEach((index, place) => {
		const share = Math.floor(room / (place === 0 ? 2 : sections.length - place));
		if (texts[index].length > share) texts[index] = fit(sections[index], share, style);
		room -= texts[index].length;
	});
	return { text: join(), truncated: true };
}
