import js from '@eslint/js';
import { defineConfig, globalIgnores } from 'eslint/config';
import tseslint from 'typescript-eslint';

// The house's own rules. The folders that aren't published may use Node freely, which n8n's rules for nodes forbid.
export default defineConfig(
	globalIgnores(['dist', 'coverage', '.build-*', 'node_modules', '.*/**']),
	{
		files: ['**/*.ts'],
		extends: [js.configs.recommended, tseslint.configs.recommended],
	},
	{
		// What is published has no dependencies, and n8n brings n8n-workflow along.
		files: ['nodes/**/*.ts', 'credentials/**/*.ts'],
		rules: {
			'max-lines-per-function': ['error', 60],
			'no-restricted-imports': [
				'error',
				{
					patterns: [
						{
							regex: '^(?!\\.\\.?/|n8n-workflow$)',
							message: 'Only n8n-workflow and the package itself may be imported here.',
						},
						{
							regex: '(?:\\.\\./)+(?:sandbox|test|tools|bench|e2e|docs|dist)/',
							message: 'This folder is not published.',
						},
					],
				},
			],
		},
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
