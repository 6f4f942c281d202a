import { provideRuntime, runtimes } from './runtime';

/** Installs what the end-to-end tests run in, before they start: it takes minutes and says so. */
async function main() {
	for (const runtime of Object.values(runtimes)) await provideRuntime(runtime);
}

main().catch((error: unknown) => {
	console.error(error instanceof Error ? error.message : error);
	process.exitCode = 1;
});
