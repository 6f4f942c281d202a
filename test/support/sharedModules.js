// Jest would load the two thousand modules of n8n's engine, and the sandbox's libraries, again for every test file. A
// file that needs them for itself, because it changes or watches globals, starts with `@jest-environment node`.
const { requireOnce } = globalThis;
if (requireOnce) {
	for (const name of ['n8n-core', 'n8n-workflow', 'fastify', 'qs', 'selfsigned', 'zod']) {
		// The engine reads its environment while it loads, and jest gives each file a copy of it.
		jest.mock(name, () => requireOnce(name, process.env));
	}
}
