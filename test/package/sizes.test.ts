import { filesIn, read } from './sources';
import { expectTasteful } from './taste';

const wordsIn = (paths: string[]) =>
	paths
		.map(read)
		.join('\n')
		.split(/\s+/)
		.filter((word) => word !== '').length;

const OPERATIONS = 'docs/operations.md';
const PAGES = filesIn('docs').filter(
	(path) => path.endsWith('.md') && !path.startsWith('docs/decisions/') && path !== OPERATIONS,
);

test.each([
	['The README', ['README.md'], 1_200],
	['The page for contributors', ['CONTRIBUTING.md'], 1_000],
	['The pages of docs/ that are written by hand', PAGES, 11_000],
	['The page of all fields', [OPERATIONS], 6_500],
	['The page of the triggers', ['docs/trigger.md'], 900],
	['The page for coding agents', ['AGENTS.md'], 300],
])('%s can be read in one go', (what, paths, most) => {
	const words = wordsIn(paths);
	expectTasteful(words > most ? [`${what}: ${words} words, at most ${most}`] : []);
});
