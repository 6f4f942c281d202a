import { largest } from '../../fitting';
import { plural } from './markdown';

/** A section of a text. Its entries have one or several lines, and an entry is kept or left out as a whole. */
export interface Section {
	/** Undefined for the lines below the title. */
	heading?: string;
	/** The name of an entry in the text, such as `record`. */
	noun: string;
	/** Renders the entries. @param max about how many characters of each value to show */
	entries: (max: number) => string[];
	/** Whether too little room leaves out entries from the middle, not from the end. */
	keepsEnd?: boolean;
}

/** The smallest maximum length of a text: each section still has room to say what it leaves out. */
export const MIN_LENGTH = 1000;

const SEPARATOR = '\n\n';

const withHeading = ({ heading }: Section, entries: string[]): string =>
	[heading === undefined ? '' : `## ${heading}\n`, ...entries].join('\n').trim();

/** Renders a section in `budget` characters, or in more if not even its heading and its remark fit. */
function fit(section: Section, entries: string[], budget: number): string {
	const remark = (left: number) => ['', `(${plural(left, section.noun)} left out)`, ''];
	let room = budget - withHeading(section, remark(entries.length)).length - SEPARATOR.length;
	// The entries from `start` (inclusive) to `end` (exclusive) are left out.
	let [start, end] = [0, entries.length];
	while (start < end) {
		const isFromEnd = section.keepsEnd === true && start > entries.length - end;
		room -= entries[isFromEnd ? end - 1 : start].length + 1;
		if (room < 0) break;
		if (isFromEnd) end--;
		else start++;
	}
	const kept = [...entries.slice(0, start), ...remark(end - start), ...entries.slice(end)];
	return withHeading(section, kept);
}

/**
 * Joins sections below a title. In a text that is too long, values are shortened, each to the same length; where that is
 * not enough, entries are left out. The first section says what the text is about, so it takes up to half of the room; of
 * the others, a section that needs less than an equal share gets all it needs, and the rest share what is left.
 * @param maxLength at most so many characters; {@link MIN_LENGTH} or more
 * @returns the text, which says what it leaves out, and whether it leaves anything out
 */
export function joinSections(
	title: string,
	sections: Section[],
	maxLength = Infinity,
): { text: string; truncated: boolean } {
	let parts: Array<{ section: Section; entries: string[]; text: string }> = [];
	const join = () => [title, ...parts.map(({ text }) => text)].join(SEPARATOR);
	const render = (max: number): string => {
		parts = sections.map((section) => {
			const entries = section.entries(max);
			return { section, entries, text: withHeading(section, entries) };
		});
		return join();
	};
	const whole = render(maxLength);
	if (whole.length <= maxLength) return { text: whole, truncated: false };
	const least = Math.floor(maxLength / 16);
	if (render(least).length <= maxLength) {
		const max = largest(least, maxLength, (one) => render(one).length <= maxLength);
		return { text: render(max), truncated: true };
	}

	let room = maxLength - title.length - SEPARATOR.length * parts.length;
	const [first, ...others] = parts;
	// The shortest sections come first, so that the room which they don't need is left for longer sections.
	others.sort((a, b) => a.text.length - b.text.length);
	[first, ...others].forEach((part, place) => {
		const share = Math.floor(room / (place === 0 ? 2 : parts.length - place));
		if (part.text.length > share) part.text = fit(part.section, part.entries, share);
		room -= part.text.length;
	});
	return { text: join(), truncated: true };
}
