/** @type {import('jest').Config} */
module.exports = {
	...require('../jest.config.js'),
	rootDir: __dirname,
	roots: ['<rootDir>'],
	maxWorkers: 1,
	testTimeout: 120_000,
};
