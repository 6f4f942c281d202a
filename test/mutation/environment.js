const { TestEnvironment } = require('jest-environment-node');

/** After the first failure no other test runs: one is enough to know that a mutant is found. */
module.exports = class extends TestEnvironment {
	hasFailed = false;

	async handleTestEvent({ name, test }) {
		if (name === 'test_fn_failure' || name === 'hook_failure') this.hasFailed = true;
		if (name === 'test_start' && this.hasFailed) test.mode = 'skip';
	}
};
