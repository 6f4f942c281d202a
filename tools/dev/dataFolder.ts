import { join } from 'node:path';

/** The folder that keeps the development n8n's data between starts. */
export const DATA_FOLDER = process.env.DEV_DATA_FOLDER ?? join(__dirname, '../../.n8n-dev');
