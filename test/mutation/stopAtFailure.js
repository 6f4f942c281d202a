/** An environment in which no other test runs after the first failure: one is enough to know that a mutant is found. */
module.exports = (Environment) =>
	class extends Environment {
		hasFailed = false;

		async handleTestEvent({ name, test }) {
			if (name === 'test_fn_failure' || name === 'hook_failure') this.hasFailed = true;
			if (name === 'test_start' && this.hasFailed) test.mode = 'skip';
		}
	};
