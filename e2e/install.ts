import { provideRuntime, runtimes } from './runtime';

/** Installs what the end-to-end tests run in, before they start: it takes minutes and says so. */
async function main() {
	for (const name of Object.keys(runtimes) as Array<keyof typeof runtimes>) {
		await provideRuntime(name);
	}
}

main().catch((error: unknown) => {
	console.error(error instanceof Error ? error.message : error);
	process.exitCode = 1;
});
