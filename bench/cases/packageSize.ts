import { execFileSync } from 'node:child_process';
import { rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { packTarball } from '../../tools/n8n/packageInstall';
import { makeTempFolder } from '../../tools/n8n/tempFolder';
import { formatMs } from '../figures';
import { interleave, median } from '../measure';
import type { Measurement } from '../setup';

/** How long n8n takes to load the package, and how large the package is. */
export const packageSize: Measurement = async ({ rounds }) => {
	const { times } = await interleave(rounds, {
		times: async () =>
			Number(
				execFileSync(process.execPath, [join(__dirname, '../loadPackage.js')], {
					encoding: 'utf8',
				}),
			),
	});
	const ms = median(times);
	const folder = await makeTempFolder();
	const { size } = await stat(await packTarball(folder));
	await rm(folder, { recursive: true });
	return [
		{
			id: 'load',
			what: 'Loading the package, as n8n does at its start',
			against: 'none',
			measured: ms,
			unit: ' ms',
			goal: 20,
			detail: `${formatMs(Math.min(...times))} in the best run`,
		},
		{
			id: 'tarball',
			what: 'The published package',
			against: 'none',
			measured: size / 1024,
			unit: ' KB',
			floor: 150,
			detail: `${size} bytes`,
		},
	];
};
