import { rmSync } from 'node:fs';
import { DATA_FOLDER } from './dataFolder';

rmSync(DATA_FOLDER, { recursive: true, force: true });
console.log(`Removed ${DATA_FOLDER}: the next "npm run dev" starts with an empty n8n.`);
