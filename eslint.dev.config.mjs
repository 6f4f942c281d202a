import js from '@eslint/js';
import { defineConfig, globalIgnores } from 'eslint/config';
import tseslint from 'typescript-eslint';

// For the folders that aren't published: they may use Node freely, which n8n's rules for nodes forbid.
export default defineConfig(
	globalIgnores(['dist', 'coverage', '.build-*', 'nodes', 'credentials', 'node_modules', '.*/**']),
	{
		files: ['**/*.ts'],
		extends: [js.configs.recommended, tseslint.configs.recommended],
	},
	{
		// The sandbox is written from the API document alone, so that mistakes in the nodes aren't repeated.
		files: ['sandbox/**/*.ts'],
		rules: {
			'no-restricted-imports': [
				'error',
				{ patterns: ['**/nodes/**', '**/credentials/**', '**/dist/**', 'n8n-*'] },
			],
		},
	},
);
