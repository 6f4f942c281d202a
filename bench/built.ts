import { join } from 'node:path';

/**
 * Loads a module of the built package, as n8n runs it. The same source under tsx is slower: there each function gets its
 * name at run time.
 * @param path below `dist/`
 */
export async function loadBuilt<Module>(path: string): Promise<Module> {
	return (await import(join(__dirname, '../dist', path))) as Module;
}
