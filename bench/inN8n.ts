import type { INode } from 'n8n-workflow';
import { type InstalledFolder, installedFolder } from '../tools/n8n/fixture';
import { n8nEnvironment } from '../tools/n8n/n8n';
import { n8nCli } from '../tools/n8n/n8nCli';
import { freePorts, startProcess } from '../tools/n8n/processes';
import { manualWorkflow } from '../tools/n8n/workflows';
import type { Workflow } from './engine';

/** The time that a command took, including all processes that it started. */
export interface CommandMeasure {
	ms: number;
	cpuMs: number;
}

/** A real n8n with the packed package, its SQLite database, and stored workflows. */
export interface N8nUnderTest {
	storeCredentials(credentials: NonNullable<Workflow['credentials']>): Promise<void>;
	storeWorkflow(id: string, nodes: INode[]): Promise<void>;
	/** Runs `n8n execute` and discards its output. @throws if the workflow fails */
	execute(workflowId: string): Promise<CommandMeasure>;
	remove(): Promise<void>;
}

/** Bash's `time`, because it also counts the CPU time of all child processes. */
const TIMED = 'TIMEFORMAT="took %R %U %S"; time "$@" > "$OUT"';

const SEGMENTATION_FAULT = 139;

async function run(
	folder: InstalledFolder,
	workflowId: string,
	tries = 3,
): Promise<CommandMeasure> {
	const { runtime, userFolder } = folder;
	const [brokerPort] = await freePorts(1);
	const timed = startProcess({
		name: 'n8n execute',
		command: 'bash',
		args: ['-c', TIMED, 'bash', runtime.node, runtime.n8n, 'execute', `--id=${workflowId}`],
		cwd: userFolder,
		env: { ...n8nEnvironment(userFolder, brokerPort), ...runtime.env, OUT: '/dev/null' },
	});
	const code = await timed.exited;
	// On a busy machine n8n sometimes crashes while it exits.
	if (code === SEGMENTATION_FAULT && tries > 1) return await run(folder, workflowId, tries - 1);
	const took = timed.lines.map((line) => /^took (\S+) (\S+) (\S+)$/.exec(line)).find(Boolean);
	if (code !== 0 || !took) throw new Error(`n8n failed\n${timed.lines.slice(-20).join('\n')}`);
	const [real, user, system] = took.slice(1).map((seconds) => Number(seconds) * 1000);
	return { ms: real, cpuMs: user + system };
}

/** Prepares an n8n; the first time it installs n8n itself, which takes some minutes. */
export async function startN8nUnderTest(): Promise<N8nUnderTest> {
	const folder = await installedFolder();
	const cli = n8nCli(folder.runtime, folder.userFolder);
	return {
		storeCredentials: async (credentials) => {
			for (const [id, { type, data }] of Object.entries(credentials)) {
				await cli.importCredential({ id, name: id, type, data: data as Record<string, string> });
			}
		},
		storeWorkflow: async (id, nodes) =>
			await cli.importWorkflow({ id, ...manualWorkflow(id, nodes) }),
		execute: async (workflowId) => await run(folder, workflowId),
		remove: folder.remove,
	};
}
