import type { Case } from '../../nodes/Cases/api/types';
import { loadBuilt } from '../built';
import { formatMs } from '../figures';
import { cpuOf, interleave, median } from '../measure';
import { formatCount, PAGE_SIZE, pageRequest, type Measurement } from '../setup';

type Render = typeof import('../../nodes/Cases/resources/case/digest/render');

/** Doing it once takes too few milliseconds to measure. */
const TIMES = 10;

/** The CPU time of making the texts of cases, alone, against that of parsing the JSON of the same cases. */
export const digest: Measurement = async ({ rounds, server, scaled }) => {
	const count = scaled(1000);
	const pages: string[] = [];
	for (let page = 1; page <= count / PAGE_SIZE; page++) {
		const { address, headers } = pageRequest(server, page);
		const response = await fetch(address, { headers });
		pages.push(await response.text());
	}
	const { renderCase } = await loadBuilt<Render>('nodes/Cases/resources/case/digest/render.js');
	const parse = () => pages.flatMap((page) => (JSON.parse(page) as { cases: Case[] }).cases);
	const rows = parse();
	const render = () => rows.map((row) => renderCase(row, () => true));
	const measure = (work: () => unknown) => async () =>
		await Promise.resolve(
			cpuOf(() => {
				for (let time = 0; time < TIMES; time++) work();
			}) / TIMES,
		);
	const runs = await interleave(rounds, { render: measure(render), parse: measure(parse) });
	const [renderMs, parseMs] = [median(runs.render), median(runs.parse)];
	return [
		{
			id: 'digest',
			what: `Get as Text: making the texts of ${formatCount(count)} cases, CPU`,
			against: 'parsing the JSON of these cases',
			measured: renderMs / parseMs,
			unit: '×',
			// Machines differ in how fast they parse JSON: a build took 1.5 times as long on one, and its successor 3.6 times on another.
			floor: 4,
			detail: `${formatMs(renderMs)} : ${formatMs(parseMs)}`,
		},
	];
};
