import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { IDataObject, IRun } from 'n8n-workflow';
import { n8nEnvironment } from './n8n';
import type { WorkflowDefinition } from './n8nApi';
import { freePorts, startProcess } from './processes';
import type { Runtime } from './runtime';
import { makeTempFolder } from './tempFolder';

/** n8n's command line for a user folder; needs neither an owner nor a running n8n. */
export interface N8nCli {
	importCredential(credential: {
		id: string;
		name: string;
		type: string;
		data: IDataObject;
	}): Promise<void>;
	importWorkflow(workflow: WorkflowDefinition & { id: string }): Promise<void>;
	/** Executes an imported workflow. @throws Error with n8n's output if it fails */
	execute(workflowId: string): Promise<IRun>;
}

export function n8nCli(runtime: Runtime, userFolder: string): N8nCli {
	const run = async (args: string[]) => {
		const [brokerPort] = await freePorts(1);
		const command = startProcess({
			name: `n8n ${args[0]}`,
			command: runtime.node,
			args: [runtime.n8n, ...args],
			cwd: userFolder,
			// The level must stay "info": n8n prints the result through its logger.
			env: { ...n8nEnvironment(userFolder, brokerPort), N8N_LOG_LEVEL: 'info', ...runtime.env },
		});
		const code = await command.exited;
		const text = command.lines.join('\n');
		if (code !== 0) throw new Error(`n8n ${args.join(' ')} ended with code ${code}\n${text}`);
		return command.lines;
	};
	const importEntry = async (kind: string, entry: object) => {
		const folder = await makeTempFolder();
		try {
			const file = join(folder, 'import.json');
			await writeFile(file, JSON.stringify([entry]));
			await run([`import:${kind}`, `--input=${file}`]);
		} finally {
			await rm(folder, { recursive: true });
		}
	};

	return {
		importCredential: async (credential) => await importEntry('credentials', credential),
		importWorkflow: async (workflow) => await importEntry('workflow', workflow),
		execute: async (workflowId) => {
			const lines = await run(['execute', `--id=${workflowId}`, '--rawOutput']);
			return JSON.parse(jsonAfterLogLines(lines)) as IRun;
		},
	};
}

/** The result spans many of the printed lines, between lines of the log. */
function jsonAfterLogLines(lines: readonly string[]): string {
	const start = lines.indexOf('{');
	const end = lines.indexOf('}', start);
	return lines.slice(start, end + 1).join('\n');
}
