const { rmSync } = require('node:fs');
const { execFile } = require('node:child_process');
const { promisify } = require('node:util');
const { dest, series, src } = require('gulp');

const clean = async () => rmSync('dist', { recursive: true, force: true });

const compile = async () => {
	const run = promisify(execFile)(process.execPath, [require.resolve('typescript/bin/tsc')]);
	await run.catch(({ stdout, stderr }) => {
		throw new Error(`TypeScript found errors:\n${stdout}${stderr}`);
	});
};

// What n8n reads beside the compiled code: icons, the codex and the output previews.
const copyAssets = () =>
	src(['nodes/**/*.json', 'icons/**/*.svg'], { base: '.', encoding: false }).pipe(dest('dist'));

exports.build = series(clean, compile, copyAssets);
exports.clean = clean;
