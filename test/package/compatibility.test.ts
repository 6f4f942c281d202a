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

test('The page on installing names the n8n that its ways were tested with', () => {
	expect(read('docs/install.md')).toContain(`in real n8n ${newest.dependencies.n8n} `);
});
