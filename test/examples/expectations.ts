import type { IDataObject } from 'n8n-workflow';
import type { Sandbox } from '../../sandbox';
import { newTasks } from '../../sandbox/tasks';
import type { Case } from '../../sandbox/types';

/** A finished run of an example, and the service that it ran against. */
export interface ExampleRun {
	sandbox: Sandbox;
	/** The cases that the run's key can see. */
	visible: Case[];
	outputOf: (node: string) => IDataObject[];
}

/** What some examples need on the service before they run, by file name. */
export const PREPARATIONS: Partial<Record<string, (sandbox: Sandbox) => void>> = {
	'alert-to-case.json': ({ store }) => {
		store.createCase({ metadata: { alert_id: 'siem-1002' } });
	},
	'playbook-as-tasks.json': ({ store }) => {
		for (const name of ['Started, and done', 'Started']) {
			const { case_id, team } = store.createCase({ name, tags: ['playbook'] });
			const tasks = newTasks(store, team, [{ description: 'A' }, { description: 'B' }]);
			const isDone = name !== 'Started';
			store.editContent(case_id, {
				tasks: tasks.map((task, index) => ({ ...task, completed: isDone || index > 0 })),
			});
		}
	},
};

/** What each example must return and change, by file name. The expected values come from the service's store. */
export const EXPECTATIONS: Record<string, (run: ExampleRun) => void> = {
	'alert-to-case.json': ({ sandbox, outputOf }) => {
		const made = outputOf('Create a case').map(({ case_id }) =>
			sandbox.store.getCase(Number(case_id)),
		);
		expect(made).toMatchObject([
			{ priority: 'HIGH', metadata: { alert_id: 'siem-1001' }, tags: [{ name: 'siem' }] },
		]);
		const raisedAgain = [...sandbox.store.cases()].filter(
			({ metadata }) => metadata.alert_id === 'siem-1002',
		);
		expect(raisedAgain).toHaveLength(1);
		expect(outputOf('Comment on it')).toMatchObject([
			{ case_id: raisedAgain[0].case_id, text: 'The alert siem-1002 was raised again.' },
		]);
	},

	'open-critical-cases.json': ({ visible, outputOf }) => {
		const cases = outputOf('Get open critical cases');
		const expected = visible.filter(
			({ status, priority }) => status === 'OPEN' && priority === 'CRITICAL',
		);
		expect(expected).not.toEqual([]);
		expect(idsOf(cases)).toEqual(idsOf(expected));
		const created = cases.map(({ created_at }) => String(created_at));
		expect(created).toEqual([...created].sort().reverse());
	},

	'playbook-as-tasks.json': ({ sandbox, visible, outputOf }) => {
		const started = visible.filter(({ tags }) => tags.some(({ name }) => name === 'playbook'));
		const [done, ...others] = started.filter(({ name }) => name.startsWith('Started'));
		const fresh = started.filter((one) => one !== done && !others.includes(one));
		expect(idsOf(fresh)).toEqual(idsOf(openWith(visible, 'phishing')));
		expect(fresh).not.toEqual([]);
		for (const { case_id } of fresh) {
			const texts = sandbox.store
				.getCase(case_id)
				.tasks()
				.map(({ description }) => description);
			// The generated cases have tasks of their own.
			expect(texts.slice(-3)).toEqual([
				...['Block the sender', 'Remove the mail from all mailboxes', 'Ask who clicked'],
			]);
		}
		const batches = sandbox.requests.filter(({ path }) => path.endsWith('/tasks/batch'));
		expect(batches).toHaveLength(fresh.length);
		expect(idsOf(outputOf('Close the case'))).toEqual([done.case_id]);
		expect([done.status, others.map(({ status }) => status)]).toEqual(['CLOSED', ['OPEN']]);
	},

	'scheduled-actions.json': ({ sandbox, visible, outputOf }) => {
		const changed = visible.filter(
			({ status, tags }) => status === 'OPEN' && tags.some(({ name }) => name === 'malware'),
		);
		expect(changed).not.toEqual([]);
		expect(idsOf(outputOf('Replace actions'))).toEqual(idsOf(changed));
		for (const { case_id, actions } of changed) {
			expect(actions().map(({ label, url }) => [label, url])).toEqual([
				['Isolate host', `https://example.com/webhook/isolate?case=${case_id}`],
				['Open runbook', 'https://example.com/runbooks/malware'],
			]);
		}
		const written = sandbox.requests.filter(({ method }) => method === 'PUT');
		expect(written.map(({ path }) => path).sort()).toEqual(
			changed.map(({ case_id }) => `/api/v2/cases/${case_id}/actions/batch`).sort(),
		);
	},
};

/** The open cases with a tag. */
const openWith = (cases: Case[], tag: string) =>
	cases.filter(({ status, tags }) => status === 'OPEN' && tags.some(({ name }) => name === tag));

/** The IDs of the cases, in ascending order. */
const idsOf = (rows: Array<{ case_id?: unknown }>) =>
	rows.map(({ case_id }) => Number(case_id)).sort((one, other) => one - other);
