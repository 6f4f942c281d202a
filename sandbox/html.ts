/** Text that is HTML already. */
export class Html {
	constructor(readonly text: string) {}
}

type Content = Html | string | number | null | undefined | false | readonly Content[];

const ENTITIES: Record<string, string> = {
	'&': '&amp;',
	'<': '&lt;',
	'>': '&gt;',
	'"': '&quot;',
	"'": '&#39;',
};

/** A template whose values are escaped, unless they are HTML already. Lists are joined; null and false are left out. */
export function html(strings: TemplateStringsArray, ...values: Content[]): Html {
	return new Html(String.raw({ raw: strings }, ...values.map(escaped)));
}

function escaped(value: Content): string {
	if (value instanceof Html) return value.text;
	if (Array.isArray(value)) return value.map(escaped).join('');
	if (value === null || value === undefined || value === false) return '';
	return String(value).replace(/[&<>"']/g, (character) => ENTITIES[character]);
}
