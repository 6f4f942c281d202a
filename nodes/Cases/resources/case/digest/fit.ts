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

/** Fewer characters of a value say nothing. */
const MIN_VALUE = 20;

const SEPARATOR = '\n\n';

/** The lines of a section, below its heading. */
function withHeading({ heading }: Section, lines: string[]): string {
	const text = lines.join('\n');
	return (heading === undefined ? text : `## ${heading}\n\n${text}`).trim();
}

/** The text of a section: what is kept of its entries, with a remark where others are left out. */
function toText(section: Section, kept: Array<string | undefined>): string {
	const { entries, noun } = section;
	const lines: string[] = [];
	const left = entries.length - kept.filter((text) => text !== undefined).length;
	let isRemarked = false;
	for (let index = 0; index < entries.length; index++) {
		const text = kept[index];
		if (text !== undefined) lines.push(text);
		else if (!isRemarked) {
			// A line between empty ones: in a table it would be a row.
			lines.push('', `(${plural(left, noun)} left out)`, '');
			isRemarked = true;
		}
	}
	return withHeading(section, lines);
}

/** All of a section; undefined once its entries are longer than `max`, so that nobody builds what is left out. */
function wholeText(section: Section, max: number, style: Style): string | undefined {
	const texts: string[] = [];
	let length = 0;
	for (const entry of section.entries) {
		const text = entry(style);
		length += text.length;
		if (length > max) return undefined;
		texts.push(text);
	}
	return withHeading(section, texts);
}

/** Which entries to keep first: from the beginning, or from both ends in turn. */
function orderOf({ entries, keepsEnd }: Section): number[] {
	const order = entries.map((_entry, index) => index);
	return keepsEnd === true
		? order.map((index) => (index % 2 === 0 ? index / 2 : entries.length - (index + 1) / 2))
		: order;
}

/** An entry with as much of its values as fits; undefined where even the least doesn't. */
function shorten(entry: Entry, room: number, perValue: number, style: Style): string | undefined {
	for (let max = perValue; max >= MIN_VALUE; max = Math.floor(max / 2)) {
		const text = entry({ ...style, max });
		if (text.length <= room) return text;
	}
	return undefined;
}

/** A section in at most `budget` characters, unless not even its heading and its remark fit. */
function fitSection(section: Section, budget: number, style: Style): string {
	const { entries } = section;
	const kept: Array<string | undefined> = [];
	let room = budget - toText(section, kept).length - SEPARATOR.length;
	// One long value must not take the room of all others.
	const perValue = entries.length === 1 ? room : Math.max(200, Math.floor(room / 4));
	for (const index of orderOf(section)) {
		const text = shorten(entries[index], room, perValue, style);
		if (text === undefined) break;
		kept[index] = text;
		room -= text.length + 1;
	}
	return toText(section, kept);
}

/** Shares room out: who needs less than an equal share gets all it needs, and the others share the rest. */
export function shareOut(needs: number[], total: number): number[] {
	const shares: number[] = needs.map(() => 0);
	const ascending = needs.map((_need, index) => index).sort((a, b) => needs[a] - needs[b]);
	let rest = total;
	ascending.forEach((index, place) => {
		shares[index] = Math.min(needs[index], Math.floor(rest / (needs.length - place)));
		rest -= shares[index];
	});
	return shares;
}

/** How many characters a text of sections needs at least, so that each can say what it leaves out. */
export const MIN_LENGTH = 1000;

/**
 * Joins sections below a title.
 * @param maxLength most characters, from {@link MIN_LENGTH}; undefined for no limit
 * @returns the text, and whether something was left out; the text itself says what
 */
export function joinSections(
	title: string,
	sections: Section[],
	maxLength = Infinity,
	style: Style = {},
): { text: string; truncated: boolean } {
	const whole = sections.map((section) => wholeText(section, maxLength, style));
	const join = (texts: string[]) => [title, ...texts].join(SEPARATOR);
	if (whole.every((text) => text !== undefined)) {
		const text = join(whole);
		if (text.length <= maxLength) return { text, truncated: false };
	}
	const room = maxLength - title.length - SEPARATOR.length * sections.length;
	// The first section says what the text is about, so it takes up to half of the room before the others.
	const [first, ...others] = whole.map((text) => text?.length ?? maxLength);
	const share = Math.min(first, Math.floor(room / 2));
	const shares = [share, ...shareOut(others, room - share)];
	const texts = sections.map((section, index) => {
		const text = whole[index];
		return text !== undefined && text.length <= shares[index]
			? text
			: fitSection(section, shares[index], style);
	});
	return { text: join(texts), truncated: true };
}
