const { default: Sequencer } = require('@jest/test-sequencer');

const LONGEST = 'robustness/faults.test.ts';

/** Starts the longest file first, also in a fresh clone, where jest knows no durations: at the end it would run alone. */
module.exports = class extends Sequencer {
	sort(tests) {
		return super
			.sort(tests)
			.sort((a, b) => Number(b.path.endsWith(LONGEST)) - Number(a.path.endsWith(LONGEST)));
	}
};
