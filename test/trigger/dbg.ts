import fc from 'fast-check';
import { runSchedule, tally } from './runSchedule';
import { schedules } from './schedule';
const [from, to, only] = process.argv.slice(2).map(Number);
async function main() {
	let bad = 0;
	for (let seed = from; seed < to; seed++) {
		const [schedule] = fc.sample(schedules, { seed, numRuns: 1 });
		const c = await runSchedule(schedule).catch((e: Error) => ['threw ' + e.stack]);
		if (c.length > 0) {
			bad++;
			const { ticks, steps, ages, ...rest } = schedule;
			console.log(
				seed,
				JSON.stringify(c.slice(0, 4)),
				JSON.stringify({ ...rest, ages: ages.length, ticks: ticks.length, steps: steps.length }),
			);
			if (only) console.log(JSON.stringify({ ticks, steps, ages }));
		}
	}
	console.log('bad', bad, JSON.stringify(tally));
}
void main();
