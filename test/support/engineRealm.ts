/**
 * The globals that n8n's engine and the built nodes see. They are not those of the test file where files share an
 * engine; see `sharedModules.js`.
 */
export const engineRealm =
	(globalThis as { engineRealm?: typeof globalThis }).engineRealm ?? globalThis;
