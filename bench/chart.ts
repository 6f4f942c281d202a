import { formatMegabytes, formatMs, formatNumber, type Figure } from './figures';
import { PEER } from './workflows';

const WIDTH = 760;
const LEFT = 20;
const BAR_WIDTH = 560;
const BAR_HEIGHT = 16;
const ROW_HEIGHT = 78;
const TOP = 64;

const STYLE = `
	text { font: 13px -apple-system, "Segoe UI", Roboto, Helvetica, Arial, sans-serif; fill: #24292f; }
	.title { font-size: 16px; font-weight: 600; }
	.small { font-size: 12px; fill: #57606a; }
	.ours { fill: #0f766e; }
	.peers { fill: #b8bec6; }
	@media (prefers-color-scheme: dark) {
		text { fill: #e6edf3; }
		.small { fill: #9198a1; }
		.ours { fill: #2dd4bf; }
		.peers { fill: #59616b; }
	}`;

function escape(text: string): string {
	return text.replace(/&/g, '&amp;').replace(/</g, '&lt;');
}

function bars({ label, ours, peers, unit }: NonNullable<Figure['bar']>, index: number): string {
	const show = (value: number) => (unit === 'ms' ? formatMs(value) : formatMegabytes(value));
	const longest = Math.max(ours, peers);
	const y = TOP + index * ROW_HEIGHT;
	const bar = (value: number, kind: 'ours' | 'peers', top: number, text: string) => {
		const width = Math.max(2, Math.round((value / longest) * BAR_WIDTH));
		return [
			`<rect class="${kind}" x="${LEFT}" y="${top}" width="${width}" height="${BAR_HEIGHT}" rx="2"/>`,
			`<text x="${LEFT + width + 8}" y="${top + 12}">${escape(text)}</text>`,
		].join('\n');
	};
	return [
		`<text x="${LEFT}" y="${y}">${escape(label)}</text>`,
		bar(ours, 'ours', y + 8, `${show(ours)}, ${formatNumber(ours / peers)} ×`),
		bar(peers, 'peers', y + 8 + BAR_HEIGHT + 3, show(peers)),
	].join('\n');
}

/** An SVG bar chart of the figures that have bars: the node above, the peer below. */
export function chartOf(figures: Figure[]): string {
	const rows = figures.flatMap(({ bar }) => bar ?? []);
	const height = TOP + rows.length * ROW_HEIGHT;
	const legend = [
		`<text class="title" x="${LEFT}" y="24">Cases against ${PEER}</text>`,
		`<text class="small" x="${LEFT}" y="42">Shorter is better. Coloured: Cases; grey: ${PEER}.</text>`,
	];
	return [
		`<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${height}" viewBox="0 0 ${WIDTH} ${height}" role="img" aria-label="Time and memory of the Cases node against the HTTP Request node">`,
		`<style>${STYLE}\n</style>`,
		...legend,
		...rows.map(bars),
		'</svg>',
		'',
	].join('\n');
}
