const { renameSync, rmSync } = require('node:fs');
const { execFile } = require('node:child_process');
const { promisify } = require('node:util');
const { dest, series, src } = require('gulp');

// Built aside and put in place at the end, so that what reads dist never sees half a build.
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

// What n8n reads beside the compiled code: icons, the codex and the output previews.
const copyAssets = () =>
	src(['nodes/**/*.json', 'icons/**/*.svg'], { base: '.', encoding: false }).pipe(dest(STAGE));

const putInPlace = async () => {
	remove('dist');
	renameSync(STAGE, 'dist');
};

exports.build = series(compile, copyAssets, putInPlace);
