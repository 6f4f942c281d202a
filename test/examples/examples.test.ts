import { basename } from 'node:path';
import { EXAMPLE_FILES, readWorkflow, runExample } from '../../demo/examples';
import { ACCESS } from '../../sandbox/auth';
import { mayRead } from '../../sandbox/query';
import { useSandboxes } from '../support/service';
import { EXPECTATIONS } from './expectations';

const startSandbox = useSandboxes();

test('Every example has an expectation', () => {
	expect(EXAMPLE_FILES.map((file) => basename(file))).toEqual(Object.keys(EXPECTATIONS).sort());
});

test.each(EXAMPLE_FILES.map((file) => [basename(file), file]))(
	'examples/%s returns and changes what it says, compared with the service',
	async (name, file) => {
		const sandbox = await startSandbox({ cases: 300 });
		const { status, error, data } = await runExample(readWorkflow(file), sandbox);
		expect([status, error]).toEqual(['success', undefined]);
		expect(sandbox.rejected).toEqual([]);
		EXPECTATIONS[name]({
			sandbox,
			visible: [...sandbox.store.cases()].filter(({ team }) => mayRead(ACCESS.personal, team.id)),
			outputOf: (node) => data[node].flat().map(({ json }) => json),
		});
	},
);
