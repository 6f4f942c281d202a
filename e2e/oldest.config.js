/** @type {import('jest').Config} */
module.exports = {
	...require('./jest.config.js'),
	testMatch: ['<rootDir>/oldest.test.ts'],
	testPathIgnorePatterns: ['/node_modules/'],
};
