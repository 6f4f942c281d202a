// Prints how many ms n8n takes to load the built package. It is plain JavaScript in a process of its
// own, so that nothing is loaded or compiled beforehand.
const { join } = require('node:path');

process.env.N8N_LOG_LEVEL = 'silent';
process.env.N8N_USER_FOLDER = join(__dirname, '../node_modules/.cache/n8n-engine');
const { PackageDirectoryLoader } = require('n8n-core');

const loader = new PackageDirectoryLoader(join(__dirname, '..'));
const start = performance.now();
loader.loadAll().then(() => console.log(performance.now() - start));
