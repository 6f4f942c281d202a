import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';

const root = resolve(__dirname, '../..');
const GENERATED = /(^|\/)(node_modules|dist|coverage|reports|\.[^/]+)(\/|$)/;

/** Reads a file of the repository. */
export const read = (path: string) => readFileSync(join(root, path), 'utf8');

/** The files in a folder of the repository and its subfolders, as paths from the root. */
export const filesIn = (folder: string): string[] =>
	readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
		.filter((entry) => entry.isFile())
		.map((entry) => relative(root, join(entry.parentPath, entry.name)))
		.filter((path) => !GENERATED.test(path));
