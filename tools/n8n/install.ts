import { provideRuntime, runtimes } from './runtime';

/** Installs an n8n that tests need, by default the newest one. It runs before them, because it takes minutes. */
async function main([name = 'current']: string[]) {
	if (name !== 'current' && name !== 'oldest') throw new Error(`Not current or oldest: ${name}`);
	await provideRuntime(runtimes[name]);
}

main(process.argv.slice(2)).catch((error: unknown) => {
	console.error(error instanceof Error ? error.message : error);
	process.exitCode = 1;
});
