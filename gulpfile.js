const { renameSync, rmSync } = require('node:fs');
const { execFile } = require('node:child_process');
const { promisify } = require('node:util');
const { dest, series, src } = require('gulp');

// Built in another folder and renamed at the end, so that nobody reads an incomplete dist.
const STAGE = `.build-${process.pid}`;

const remove = (folder) => rmSync(folder, { recursive: true, force: true });

const runTypeScript = async (...options) => {
	const tsc = require.resolve('typescript/bin/tsc');
	const run = promisify(execFile)(process.execPath, [tsc, '--outDir', STAGE, ...options]);
	await run.catch(({ stdout, stderr }) => {
		remove(STAGE);
		throw new Error(`TypeScript found errors:\n${stdout}${stderr}`);
	});
};
const compile = async () => await runTypeScript();
// The same output in half of the time, without reading the types of n8n.
const compileUnchecked = async () => await runTypeScript('--noCheck', '--noResolve');

// The files that n8n reads in addition to the code: icons, the codex and the output previews.
const copyAssets = () =>
	src(['nodes/**/*.json', 'icons/**/*.svg'], { base: '.', encoding: false }).pipe(dest(STAGE));

const putInPlace = async () => {
	remove('dist');
	renameSync(STAGE, 'dist');
};

exports.build = series(compile, copyAssets, putInPlace);
/** For `npm test`: `npm run typecheck` checks the types of everything. */
exports.buildUnchecked = series(compileUnchecked, copyAssets, putInPlace);
