const { renameSync, rmSync } = require('node:fs');
const { execFile } = require('node:child_process');
const { promisify } = require('node:util');
const { dest, series, src } = require('gulp');

// Built in another folder and renamed at the end, so that nobody reads an incomplete dist.
const STAGE = `.build-${process.pid}`;

const remove = (folder) => rmSync(folder, { recursive: true, force: true });

const compile = async () => {
	const tsc = require.resolve('typescript/bin/tsc');
	const run = promisify(execFile)(process.execPath, [tsc, '--outDir', STAGE]);
	await run.catch(({ stdout, stderr }) => {
		remove(STAGE);
		throw new Error(`TypeScript found errors:\n${stdout}${stderr}`);
	});
};

// The files that n8n reads in addition to the code: icons, the codex and the output previews.
const copyAssets = () =>
	src(['nodes/**/*.json', 'icons/**/*.svg'], { base: '.', encoding: false }).pipe(dest(STAGE));

const putInPlace = async () => {
	remove('dist');
	renameSync(STAGE, 'dist');
};

exports.build = series(compile, copyAssets, putInPlace);
