import type { IDataObject } from 'n8n-workflow';
import type { Sandbox } from '../../sandbox';
import type { Case } from '../../sandbox/types';

/** A finished run of an example, and the service that it ran against. */
export interface ExampleRun {
	sandbox: Sandbox;
	/** The cases that the run's key can see. */
	visible: Case[];
	outputOf: (node: string) => IDataObject[];
}

const QUESTION = 'Isolate the hosts of this case?';

const button = (label: string) => ({
	url: `https://example.com/${encodeURIComponent(label)}`,
	label,
	action_type: 'webhook' as const,
});

/** What some examples need on the service before they run, by file name. */
export const PREPARATIONS: Partial<Record<string, (sandbox: Sandbox) => void>> = {
	'alert-to-case.json': ({ store }) => {
		store.createCase({ metadata: { alert_id: 'siem-1002' } });
	},
	'button-starts-workflow.json': ({ store }) => {
		store.createCase({ name: 'New and critical', priority: 'CRITICAL' });
	},
	'clean-up-buttons.json': ({ store }) => {
		const alone = store.createCase({ name: 'Only the question', status: 'CLOSED' });
		store.replaceActions(alone.case_id, [button(QUESTION)]);
		const both = store.createCase({ name: 'The question and more', status: 'CLOSED' });
		store.replaceActions(both.case_id, [button(QUESTION), button('Other')]);
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

	'comment-with-findings.json': ({ sandbox, outputOf }) => {
		const hosts = outputOf('Get its hosts');
		expect(hosts).not.toEqual([]);
		const added = outputOf('Comment on the case').map(({ comment_id, case_id, text }) => {
			const { store } = sandbox;
			const comment = store.comments(Number(case_id)).find(({ id }) => id === comment_id);
			expect(comment?.value).toBe(text);
			return [case_id, text];
		});
		expect(added).toEqual(
			hosts.map(({ case_id, hostname, address }) => [
				case_id,
				`**${String(hostname)}** (${String(address)}): not in the inventory`,
			]),
		);
	},

	'close-answered.json': ({ sandbox, outputOf }) => {
		const isAnswered = (id: unknown) =>
			sandbox.store.comments(Number(id)).some(({ value }) => value.includes('confirmed'));
		const read = outputOf('Get open cases').map(({ case_id }) => case_id);
		const tried = outputOf('Close the case');
		expect(tried).toHaveLength(read.filter(isAnswered).length);
		const closed = tried.filter(({ error }) => error === undefined);
		expect(closed.length).toBeGreaterThan(0);
		expect(closed.length).toBeLessThan(tried.length);
		for (const { case_id } of closed) {
			expect(isAnswered(case_id)).toBe(true);
			expect(sandbox.store.getCase(Number(case_id)).status).toBe('CLOSED');
		}
	},

	'open-critical-cases.json': ({ sandbox, visible, outputOf }) => {
		const cases = outputOf('Get open critical cases');
		const expected = visible.filter(
			({ status, priority }) => status === 'OPEN' && priority === 'CRITICAL',
		);
		expect(expected).not.toEqual([]);
		expect(sorted(cases)).toEqual(sorted(expected.map((each) => simplified(each, sandbox))));
		const created = cases.map(({ created_at }) => String(created_at));
		expect(created).toEqual([...created].sort().reverse());
	},

	'comments-of-a-search.json': ({ sandbox, visible, outputOf }) => {
		const found = visible.filter(({ name, description }) =>
			/phishing/i.test(`${name} ${description ?? ''}`),
		);
		const expected = found.flatMap(({ case_id }) =>
			sandbox.store.comments(case_id).map(({ id, value, user, created_at }) => ({
				case_id,
				comment_id: id,
				text: value,
				author: `${user.first_name} ${user.last_name}`,
				author_email: user.email,
				created_at,
			})),
		);
		expect(expected).not.toEqual([]);
		expect(sorted(outputOf('Get comments'))).toEqual(sorted(expected));
	},

	'indicators-to-csv.json': ({ visible, outputOf }) => {
		expect(hostRows(outputOf('Get hosts'))).toEqual(storedHosts(openCritical(visible)));
		expect(outputOf('CSV file')).toHaveLength(1);
	},

	'enrich-records.json': ({ visible, outputOf }) => {
		const rows = outputOf('Enrich each host');
		expect(hostRows(rows)).toEqual(storedHosts(openCritical(visible)));
		for (const { address, network } of rows) {
			expect(network).toBe(String(address).replace(/\d+$/, '0/24'));
		}
	},

	'daily-digest.json': ({ visible, outputOf }) => {
		const [{ digest }] = outputOf('Digest');
		const cases = openCritical(visible);
		expect(cases).not.toEqual([]);
		const ids = [...String(digest).matchAll(/^# Case (\d+)$/gm)].map(([, id]) => Number(id));
		expect(ids.sort()).toEqual(cases.map(({ case_id }) => case_id).sort());
		expect(String(digest)).toMatch(/^Open critical cases, \d{4}-/);
	},

	'sla-watch.json': ({ visible, outputOf }) => {
		// The sandbox's own cases are months old; another workflow may have created one right now.
		const isOld = (createdAt: string) => Date.now() - Date.parse(createdAt) > 86_400_000;
		const late = visible.filter(
			({ status, priority, created_at }) =>
				status === 'OPEN' && ['CRITICAL', 'HIGH', 'MEDIUM'].includes(priority) && isOld(created_at),
		);
		const found = outputOf('Older than allowed').map(({ case_id }) => case_id);
		expect(found).not.toEqual([]);
		expect(found.sort()).toEqual(late.map(({ case_id }) => case_id).sort());
	},

	'who-did-what.json': ({ sandbox, outputOf }) => {
		const ids = outputOf('Get latest cases').map(({ case_id }) => Number(case_id));
		expect(ids).toHaveLength(50);
		const expected = new Map<string, number>();
		for (const { user, activity_type } of ids.flatMap((id) =>
			sandbox.store.getCase(id).activities(),
		)) {
			const key = `${user.first_name} ${user.last_name}, ${activity_type}`;
			expected.set(key, (expected.get(key) ?? 0) + 1);
		}
		const counted = outputOf('Count by user').map(
			({ user, activity_type, count_activity_id }) =>
				[`${String(user)}, ${String(activity_type)}`, count_activity_id] as const,
		);
		expect(Object.fromEntries(counted)).toEqual(Object.fromEntries(expected));
	},

	'hand-over-note.json': ({ visible, outputOf }) => {
		const mine = outputOf('Get my open cases').map(({ case_id }) => Number(case_id));
		expect(mine).not.toEqual([]);
		expect(visible.map(({ case_id }) => case_id)).toEqual(expect.arrayContaining(mine));
		const [{ note }] = outputOf('Hand-over note');
		const ids = [...String(note).matchAll(/^# Case (\d+)$/gm)].map(([, id]) => Number(id));
		expect(ids.sort()).toEqual(mine.sort());
	},

	'react-to-changes.json': ({ sandbox, outputOf }) => {
		// A run by hand shows recent examples of the trigger's events as if they had just happened.
		const events = outputOf('Case closed or commented on');
		const caseIds = [...new Set(events.map(({ case_id }) => Number(case_id)))];
		expect(new Set(events.map(({ event }) => event))).toEqual(
			new Set(['caseClosed', 'commentAdded']),
		);
		expect(outputOf('Replace actions').map(({ case_id }) => case_id)).toEqual(caseIds);
		for (const case_id of caseIds) {
			const { status, actions } = sandbox.store.getCase(case_id);
			const [label, page] =
				status === 'CLOSED' ? ['Review closed case', 'review'] : ['Answer comment', 'answer'];
			expect(actions().map((action) => [action.label, action.url, action.action_type])).toEqual([
				[label, `https://example.com/${page}?case=${case_id}`, 'page'],
			]);
		}
	},

	'button-starts-workflow.json': ({ sandbox, outputOf }) => {
		const items = outputOf('Add the button');
		expect(items).not.toEqual([]);
		const made = [...sandbox.store.cases()].find(({ name }) => name === 'New and critical')!;
		expect(made.actions()).toMatchObject([
			{
				label: 'Tell the story',
				action_type: 'webhook',
				url: expect.stringMatching(
					`^http://localhost:\\d+/webhook/cases-tell-the-story\\?case=${made.case_id}$`,
				),
			},
		]);
		expect(items.find(({ case_id }) => case_id === made.case_id)).toMatchObject({ changed: true });
	},

	'clean-up-buttons.json': ({ sandbox, outputOf }) => {
		const labelsOf = (wanted: string) =>
			[...sandbox.store.cases()]
				.find(({ name }) => name === wanted)!
				.actions()
				.map(({ label }) => label);
		expect(labelsOf('Only the question')).toEqual([]);
		expect(labelsOf('The question and more')).toEqual(['Other']);
		const items = outputOf('Remove the buttons');
		expect(items.filter(({ removed }) => removed === 1)).toHaveLength(2);
		expect(items.filter(({ error }) => error !== undefined)).toEqual([]);
	},

	'one-execution-per-case.json': ({ outputOf }) => {
		const cases = outputOf('Case changed');
		expect(cases).not.toEqual([]);
		expect(outputOf('Run for each item')).toEqual(cases);
	},

	'page-when-critical.json': ({ visible, outputOf }) => {
		const critical = new Set(openCritical(visible).map(({ case_id }) => case_id));
		const cases = outputOf('Case becomes critical');
		expect(cases).toHaveLength(Math.min(critical.size, 10));
		expect(cases).not.toEqual([]);
		expect(cases.every(({ case_id }) => critical.has(Number(case_id)))).toBe(true);
		expect(outputOf('Page')).toEqual(
			cases.map(({ event_id, name, case_id }) => ({
				page_key: event_id,
				title: `Critical: ${String(name)} (case ${String(case_id)})`,
				body: expect.stringContaining(`/cases/${String(case_id)}`),
			})),
		);
	},

	'tell-the-assignees.json': ({ sandbox, outputOf }) => {
		const messages = outputOf('Message');
		expect(messages).not.toEqual([]);
		for (const { to, message_key } of messages) {
			const [, caseId, activityId] = /-(\d+)-(\d+) /.exec(String(message_key))!.map(Number);
			const { assignees, activities } = sandbox.store.getCase(caseId);
			expect(assignees.map(({ email }) => email)).toContain(to);
			expect(activities().find(({ id }) => id === activityId)?.user.email).not.toBe(to);
		}
	},

	'changes-to-csv.json': ({ sandbox, outputOf }) => {
		const rows = outputOf('Row');
		expect(rows).toHaveLength(10);
		for (const { event_id, case_id, what, user } of rows) {
			const ids = sandbox.store.getCase(Number(case_id)).activities();
			const entry = ids.find(({ id }) => event_id === `activityAdded-${String(case_id)}-${id}`);
			expect([what, user]).toEqual([
				entry?.activity_type,
				`${entry?.user.first_name} ${entry?.user.last_name}`,
			]);
		}
		expect(outputOf('CSV file')).toHaveLength(1);
	},

	'keep-a-table.json': ({ sandbox, outputOf }) => {
		const rows = outputOf('Row');
		expect(new Set(rows.map(({ event_id }) => event_id)).size).toBe(rows.length);
		for (const { case_id, keep } of rows) {
			const { status, priority } = sandbox.store.getCase(Number(case_id));
			expect(keep).toBe(status === 'OPEN' && priority === 'CRITICAL');
		}
		expect(new Set(rows.map(({ keep }) => keep))).toEqual(new Set([true, false]));
	},

	'scheduled-actions.json': ({ sandbox, visible, outputOf }) => {
		const changed = visible.filter(
			({ status, tags }) => status === 'OPEN' && tags.some(({ name }) => name === 'malware'),
		);
		expect(changed).not.toEqual([]);
		expect(sorted(outputOf('Replace actions')).map(({ case_id }) => case_id)).toEqual(
			sorted(changed).map(({ case_id }) => case_id),
		);
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

const openCritical = (cases: Case[]) =>
	cases.filter(({ status, priority }) => status === 'OPEN' && priority === 'CRITICAL');

/** The hosts among the records of cases, each as one text. */
function storedHosts(cases: Case[]): string[] {
	const hosts = cases.flatMap(({ case_id, records }) =>
		records()
			.filter(({ record_type_name }) => record_type_name === 'Host')
			.flatMap(({ record_type_record_results }) => record_type_record_results)
			.map(({ id, results }) =>
				[case_id, id, ...results.map(({ name, value }) => `${name}=${value}`)].join(),
			),
	);
	expect(hosts).not.toEqual([]);
	return hosts.sort();
}

/** Items with hosts, each as {@link storedHosts} has it. */
function hostRows(items: IDataObject[]): string[] {
	const rows = items.map(({ case_id, record_id, hostname, address }) =>
		[case_id, record_id, `hostname=${String(hostname)}`, `address=${String(address)}`].join(),
	);
	return rows.sort();
}

/** A case as the node's simplified output has it. */
function simplified(each: Case, { url }: Sandbox) {
	return {
		case_id: each.case_id,
		name: each.name,
		status: each.status,
		priority: each.priority,
		team: each.team.name,
		assignees: each.assignees.map(({ email }) => email),
		tags: each.tags.map(({ name }) => name),
		url: `${url}/cases/${each.case_id}`,
		created_at: each.created_at,
		updated_at: each.updated_at,
		resolved_at: each.resolved_at,
	};
}

/** By the ID of the case, and then by that of the comment. */
function sorted<T extends object>(rows: T[]): T[] {
	const key = (row: T) => row as { case_id?: unknown; comment_id?: unknown };
	return [...rows].sort(
		(a, b) =>
			Number(key(a).case_id) - Number(key(b).case_id) ||
			Number(key(a).comment_id) - Number(key(b).comment_id) ||
			0,
	);
}
