import { rm, writeFile } from 'node:fs/promises';
import { constants } from 'node:os';
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
	/** @param readResult returns undefined if the output says that the command did not do its work */
	const run = async <T>(
		args: string[],
		readResult: (lines: readonly string[]) => T | undefined,
	): Promise<T> => {
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
		const result = readResult(command.lines);
		if (result === undefined || (code !== 0 && !isSignal(code))) {
			const text = command.lines.join('\n');
			throw new Error(`n8n ${args.join(' ')} ended with code ${code}\n${text}`);
		}
		// n8n's native modules crash now and then while it exits: its work is done by then.
		if (code !== 0) console.warn(`n8n ${args[0]} crashed with code ${code} after its work`);
		return result;
	};
	const importEntry = async (kind: string, entry: object) => {
		const folder = await makeTempFolder();
		try {
			const file = join(folder, 'import.json');
			await writeFile(file, JSON.stringify([entry]));
			await run([`import:${kind}`, `--input=${file}`], importMessage);
		} finally {
			await rm(folder, { recursive: true });
		}
	};

	return {
		importCredential: async (credential) => await importEntry('credentials', credential),
		importWorkflow: async (workflow) => await importEntry('workflow', workflow),
		execute: async (workflowId) =>
			await run(['execute', `--id=${workflowId}`, '--rawOutput'], successfulRun),
	};
}

/** Whether an exit code stands for the end by a signal, as in a crash. */
function isSignal(code: number): boolean {
	return code > 128 && code <= 128 + Math.max(...Object.values(constants.signals));
}

function importMessage(lines: readonly string[]): string | undefined {
	return lines.find((line) => line.includes('Successfully imported'));
}

/** The printed run spans many lines, between lines of the log. n8n prints failed ones, too. */
function successfulRun(lines: readonly string[]): IRun | undefined {
	const start = lines.indexOf('{');
	const end = lines.indexOf('}', start);
	if (start === -1 || end === -1) return undefined;
	const result = JSON.parse(lines.slice(start, end + 1).join('\n')) as IRun;
	return result.data.resultData.error ? undefined : result;
}
