import { format, resolveConfig } from 'prettier';
import { formatNumber, verdictOf, type Figure, type Verdict } from './figures';
import type { MeasuredRun, Results } from './results';
import { FULL_SIZE } from './setup';
import { PEER } from './workflows';

const MARKS: Record<Verdict, string> = {
	'goal reached': 'reached',
	'floor reached, goal missed': '**goal missed**',
	MISSED: '**MISSED**',
	reported: '–',
};

function bound(value: number | undefined, { unit, better = 'lower' }: Figure): string {
	if (value === undefined) return '–';
	return `${better === 'lower' ? '≤' : '≥'} ${formatNumber(value)}${unit.replace(/ faster$/, '')}`;
}

function row(figure: Figure): string[] {
	const { what, against, measured, unit, floor, goal, detail } = figure;
	return [
		what,
		against,
		`${formatNumber(measured)}${unit}`,
		bound(floor, figure),
		bound(goal, figure),
		MARKS[verdictOf(figure)],
		detail,
	];
}

function table(head: string[], rows: string[][]): string {
	const line = (cells: string[]) =>
		`| ${cells.map((cell) => cell.replace(/\|/g, '\\|')).join(' | ')} |`;
	return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

/** What one run measured: on what machine, and the table. */
function blocksOf({ day, machine, cases, rounds, figures }: MeasuredRun): string[] {
	const { cpu, cores, memoryGb, node, n8n, n8nCore, load } = machine;
	const blocks = [
		`${day === undefined ? '' : `Measured on ${day}. `}Machine: ${cpu}, ${cores} cores, ${memoryGb} GB; Node ${node}; n8n-core ${n8nCore}; n8n ${n8n}. Medians of ${rounds} runs of each, in turns; the machine’s load average was ${load.map(formatNumber).join(' before and ')} after.`,
	];
	if (cases < FULL_SIZE) {
		blocks.push(
			'A quick run shows only that everything works: its sizes are too small for the bounds.',
		);
	}
	const head = ['What', 'Against', 'Measured', 'Floor', 'Goal', '', 'Figures behind it'];
	blocks.push(table(head, figures.map(row)));
	return blocks;
}

/** The results as Markdown, both for the terminal and for the documentation. */
export async function resultsTable({ later = [], ...full }: Results): Promise<string> {
	const blocks = [
		...blocksOf(full),
		...later.flatMap((run) => [
			'These were measured later, in a run of their own:',
			...blocksOf(run),
		]),
	];
	const config = await resolveConfig(__filename);
	return await format(blocks.join('\n\n'), { ...config, parser: 'markdown' });
}

/** What the node takes against the peer, without bounds and notes: for users. */
export async function peersTable({ later = [], ...full }: Results): Promise<string> {
	const figures = [full, ...later].flatMap((run) => run.figures);
	const rows = figures
		.filter(({ against }) => against.startsWith(PEER))
		.map(({ what, against, measured, unit, detail }) => [
			[
				what.replace(/, Page Size (\d+)$/, ': Cases reads $1 a page'),
				against.slice(PEER.length).replace(/(\d+) cases a page$/, 'HTTP Request $1'),
			].join(''),
			`${formatNumber(measured)}${unit}`,
			detail.split(/[;,] /)[0],
		]);
	const text = table(['What', 'Cases node', 'Cases : HTTP Request'], rows);
	return await format(text, { ...(await resolveConfig(__filename)), parser: 'markdown' });
}
