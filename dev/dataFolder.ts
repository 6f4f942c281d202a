import { join } from 'node:path';

/** Where the development n8n keeps everything between its starts. */
export const DATA_FOLDER = process.env.DEV_DATA_FOLDER ?? join(__dirname, '../.n8n-dev');
