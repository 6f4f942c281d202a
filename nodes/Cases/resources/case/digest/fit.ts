import { plural, type Style } from './markdown';

/** A line or a block of a section. */
export type SectionEntry = (style: Style) => string;

/** A section of a text, in entries that stay or are left out as a whole. */
export interface Section {
	/** Undefined for the lines below the title. */
	heading?: string;
	entries: SectionEntry[];
	/** What an entry is. */
	noun: string;
	/** Keeps the first and the last entries, instead of the first ones. */
	keepsEnd?: boolean;
}

/** How many characters a text of sections needs at least, so that each can say what it leaves out. */
export const MIN_LENGTH = 1000;

const SEPARATOR = '\n\n';

const withHeading = ({ heading }: Section, lines: string[]): string =>
	[...(heading === undefined ? [] : [`## ${heading}\n`]), ...lines].join('\n').trim();

/** A section in at most `budget` characters, unless not even its heading and its remark fit. */
function fit(section: Section, lines: string[], budget: number): string {
	const remark = (left: number) => ['', `(${plural(left, section.noun)} left out)`, ''];
	let room = budget - withHeading(section, remark(lines.length)).length - SEPARATOR.length;
	let [first, end] = [0, lines.length];
	while (first < end) {
		const isFromEnd = section.keepsEnd === true && first > lines.length - end;
		room -= lines[isFromEnd ? end - 1 : first].length + 1;
		if (room < 0) break;
		if (isFromEnd) end--;
		else first++;
	}
	return withHeading(section, [
		...lines.slice(0, first),
		...remark(end - first),
		...lines.slice(end),
	]);
}

/**
 * Joins sections below a title. In a text that is too long, values are shortened, each to the same length; where that is
 * not enough, entries are left out. The first section says what the text is about, so it takes up to half of the room; of
 * the others, a section that needs less than an equal share gets all it needs, and the rest share what is left.
 * @param maxLength most characters, from {@link MIN_LENGTH}; undefined for no limit
 * @returns the text, and whether something was left out; the text itself says what
 */
export function joinSections(
	title: string,
	sections: Section[],
	maxLength = Infinity,
	isPlain = false,
): { text: string; truncated: boolean } {
	const join = () => [title, ...texts].join(SEPARATOR);
	let lines: string[][] = [];
	let texts: string[] = [];
	for (const part of [1, 4, 16]) {
		const max = Math.floor(maxLength / part);
		lines = sections.map(({ entries }) => entries.map((entry) => entry({ isPlain, max })));
		texts = sections.map((section, index) => withHeading(section, lines[index]));
		const text = join();
		if (text.length <= maxLength) return { text, truncated: part > 1 };
	}

	let room = maxLength - title.length - SEPARATOR.length * sections.length;
	const [first, ...others] = sections.keys();
	others.sort((a, b) => texts[a].length - texts[b].length);
	[first, ...others].forEach((index, place) => {
		const share = Math.floor(room / (place === 0 ? 2 : sections.length - place));
		if (texts[index].length > share) texts[index] = fit(sections[index], lines[index], share);
		room -= texts[index].length;
	});
	return { text: join(), truncated: true };
}
