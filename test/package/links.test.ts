import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { filesIn, read } from './sources';

const ROOT = resolve(__dirname, '../..');
const FOLDERS = '. .ci .github .github/ISSUE_TEMPLATE docs docs/decisions sandbox tools'.split(' ');

const pages = FOLDERS.flatMap((folder) =>
	readdirSync(join(ROOT, folder))
		.filter((name) => name.endsWith('.md') || folder.endsWith('ISSUE_TEMPLATE'))
		.map((name) => join(folder, name)),
);

const textOf = (path: string) => readFileSync(path, 'utf8').replace(/^```[^]*?^```/gm, '');

/** The repository on GitHub, and what follows its address there. */
const ON_GITHUB = /https:\/\/github\.com\/n8n-nodes-cases\/n8n-nodes-cases(#[\w-]+)/g;

/** Targets of the links and pictures of a page that lead to the repository itself. */
function relativeLinks(page: string): string[] {
	const targets = [...textOf(join(ROOT, page)).matchAll(/\]\(([^)\s]+)\)/g)].map(
		([, link]) => link,
	);
	return targets.filter((target) => !/^[a-z]+:/.test(target));
}

/** The anchors that GitHub gives the headings of a page. */
function anchorsOf(path: string): string[] {
	return [...textOf(path).matchAll(/^#+ (.+)$/gm)].map(([, heading]) =>
		heading
			.toLowerCase()
			.replace(/[^\p{L}\p{N}\s_-]/gu, '')
			.replace(/\s/g, '-'),
	);
}

/** Why a link of a page leads nowhere; undefined if it leads somewhere. */
function problemOf(page: string, link: string): string | undefined {
	const [target, anchor] = link.split('#');
	// GitHub shows an issue form below `/issues`, from where this leads to the files.
	const inRepository = target.replace(/^\.\.\/blob\/main\//, `${ROOT}/`);
	const path = target === '' ? join(ROOT, page) : resolve(ROOT, dirname(page), inRepository);
	if (!existsSync(path)) return `${link}: there is no ${relative(ROOT, path)}`;
	if (anchor !== undefined && !anchorsOf(path).includes(anchor)) return `${link}: no such heading`;
	return undefined;
}

describe('links between the pages', () => {
	test.each(pages)('lead from %s to files and headings that exist', (page) => {
		const problems = relativeLinks(page).map((link) => problemOf(page, link));
		expect(problems.filter((problem) => problem !== undefined)).toEqual([]);
	});

	test('lead from the package and its manifest to headings of the README', () => {
		const files = ['package.json', ...filesIn('nodes'), ...filesIn('credentials')];
		const links = files.flatMap((file) => [...read(file).matchAll(ON_GITHUB)]);
		// GitHub gives every README this one.
		const anchors = links.map(([, link]) => link).filter((link) => link !== '#readme');

		expect(links.length).toBeGreaterThan(0);
		expect(anchors.map((anchor) => problemOf('README.md', anchor)).filter(Boolean)).toEqual([]);
	});

	test('are found in the README', () => {
		expect(relativeLinks('README.md')).toContain('docs/api.md#which-kinds-of-keys-are-there');
	});
});
