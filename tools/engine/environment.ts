import { existsSync, mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';

// n8n-core reads its environment while it loads, so every file that imports n8n-core must import this
// one first.

const userFolder = resolve(__dirname, '../../node_modules/.cache/n8n-engine');
const settingsFile = resolve(userFolder, '.n8n/config');

// n8n-core writes this file if it is missing. Jest's workers share it, and one could read it while
// another is still writing it, so the complete file is moved into place before n8n-core loads.
if (!existsSync(settingsFile)) {
	const draft = `${settingsFile}.${process.pid}`;
	mkdirSync(resolve(userFolder, '.n8n'), { recursive: true });
	writeFileSync(draft, JSON.stringify({ encryptionKey: 'engine-under-test' }), { mode: 0o600 });
	renameSync(draft, settingsFile);
}

process.env.N8N_USER_FOLDER = userFolder;
process.env.N8N_LOG_LEVEL ??= 'silent';
