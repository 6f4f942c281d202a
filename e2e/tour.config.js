/** @type {import('jest').Config} */
module.exports = {
	...require('./jest.config.js'),
	testMatch: ['<rootDir>/tour.test.ts'],
	testPathIgnorePatterns: ['/node_modules/'],
};
