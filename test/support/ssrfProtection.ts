// n8n-core reads its environment while it loads, so a file that tests n8n's protection of internal addresses imports
// this one first.
process.env.N8N_SSRF_PROTECTION_ENABLED = 'true';
