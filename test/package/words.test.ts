import { filesIn, read } from './sources';
import { expectTasteful } from './taste';

// The word list of CONTRIBUTING, as far as a pattern is certain.
const WORDS: Array<[pattern: RegExp, better: string]> = [
	[/\banew\b/i, 'again'],
	[/\bin vain\b/i, 'without success'],
	[/\bat rest\b|unrest/i, 'stable, unchanged'],
	[/\b(goes|go|going|went) on\b/i, 'continue'],
	[/, else [a-z]|\bwould else\b/i, 'otherwise'],
	[/\blooked at\b/i, 'watched, checked'],
	[/\bsen[dt]s? again\b/i, 'retry'],
	[/(?<!\bthere )\b(is|are) no(?! (fewer|less|longer|more|one|wider)\b) [a-z]/i, 'is not a'],
	[/\bclosed or commented(?! on\b)/i, 'commented on'],
	[/\bcan not\b/i, "cannot, can't"],
	[/\bthe own\b/i, 'its own'],
	[/(?<!')\baction buttons?\b/i, 'case action'],
];

const form = (name: string) => `.github/ISSUE_TEMPLATE/${name}`;
const TEXTS = ['README.md', 'CONTRIBUTING.md', 'AGENTS.md', '.github/SECURITY.md', 'CHANGELOG.md']
	.concat(['.ci/README.md', 'sandbox/README.md', 'tools/README.md'])
	.concat(filesIn('examples/deploy'), ['bug_report.yml', 'feature_request.yml'].map(form))
	.concat(filesIn('docs').filter((path) => path.endsWith('.md')))
	// Written from the texts of the forms.
	.filter((path) => path !== 'docs/operations.md');
const codeIn = (...folders: string[]) =>
	folders
		.flatMap(filesIn)
		.filter((path) => /\.[cm]?[jt]s$/.test(path) && !path.endsWith('words.test.ts'));

const COMMENT = /\/\*[\s\S]*?\*\/|\/\/.*/;
const STRING = /'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\.|[^`\\])*`/;
/** Behind `it(` and the like, and behind the table of `it.each(…)(`. */
const TEST_NAME = new RegExp(`(?:\\b(?:describe|it|test)|\\))\\(\\s*(?:${STRING.source})`);

/** Code with its comments, without strings: those of forms and errors have words of their own. */
const withoutStrings = (code: string) =>
	code.replace(new RegExp(`(${COMMENT.source})|${STRING.source}`, 'g'), '$1');
const commentsAndTestNames = (code: string) =>
	code
		.match(new RegExp([COMMENT, TEST_NAME, STRING].map(({ source }) => source).join('|'), 'g'))
		?.filter((found) => /^[^'"`]*[/(]/.test(found)) ?? [];

/** The lines in which a pattern is found, and the better word. */
const findings = (path: string, text: string) =>
	text
		.split('\n')
		.flatMap((line) =>
			WORDS.filter(([pattern]) => pattern.test(line)).map(
				([, better]) => `${path}: ${line.trim()} → ${better}`,
			),
		);

test('Texts for users and developers keep to the word list', () => {
	const textOf = (path: string) =>
		read(path)
			// The word list itself, in CONTRIBUTING.
			.replace(/^\| Say [\s\S]*?\n\n/m, '')
			// What is bold on this page quotes messages.
			.replace(/\*\*.*?\*\*/g, path === 'docs/troubleshooting.md' ? '' : '$&');
	expectTasteful(TEXTS.flatMap((path) => findings(path, textOf(path))));
});

test('Comments and identifiers of the product keep to the word list', () => {
	const files = codeIn('nodes', 'credentials');
	expectTasteful(files.flatMap((path) => findings(path, withoutStrings(read(path)))));
});

test('Comments and test names everywhere else keep to the word list', () => {
	const files = codeIn('sandbox', 'tools', 'test', 'e2e', 'bench');
	// Strings of a test file are often part of a test's name: those in tables, for example.
	const textOf = (path: string) =>
		path.endsWith('.test.ts') ? read(path) : commentsAndTestNames(read(path)).join('\n');
	expectTasteful(files.flatMap((path) => findings(path, textOf(path))));
});
