import { parse } from 'yaml';
import oldest from '../../tools/n8n/runtime-1x/package.json';
import newest from '../../tools/n8n/runtime/package.json';
import { read } from './sources';

interface Nightly {
	jobs: { 'end-to-end': { strategy: { matrix: { n8n: string[] } } } };
}
const nightly = parse(read('.github/workflows/nightly.yml')) as Nightly;
/** Empty stands for the newest. */
const others = nightly.jobs['end-to-end'].strategy.matrix.n8n.filter((version) => version !== '');
const compatibility = /^## Compatibility$([^]*?)^## /m.exec(read('README.md'))?.[1];

test.each([newest.dependencies.n8n, ...others, oldest.dependencies.n8n])(
	'Compatibility in the README names n8n %s, which the end-to-end tests run on',
	(version) => {
		expect(compatibility).toMatch(new RegExp(`\\b${version.replaceAll('.', '\\.')}\\b`));
	},
);

test.each([newest.dependencies.n8n, ...others])(
	'The page on installing says that its ways were tested in n8n %s',
	(version) => {
		const tested = /in real n8n (.*) is marked/.exec(read('docs/install.md'))?.[1];
		expect(tested?.split(' and ')).toContain(version);
	},
);
