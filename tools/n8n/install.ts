import { provideRuntime, runtimes } from './runtime';

/** Installs every n8n that the end-to-end tests need. It runs before them, because it takes minutes. */
async function main() {
	for (const runtime of Object.values(runtimes)) await provideRuntime(runtime);
}

main().catch((error: unknown) => {
	console.error(error instanceof Error ? error.message : error);
	process.exitCode = 1;
});
