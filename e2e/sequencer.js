const { default: Sequencer } = require('@jest/test-sequencer');

const LONGEST = 'trigger.test.ts';

/** Starts the longest file first, so that the others run in parallel; a fresh clone has no durations. */
module.exports = class extends Sequencer {
	sort(tests) {
		return [...tests].sort(
			(a, b) => Number(b.path.endsWith(LONGEST)) - Number(a.path.endsWith(LONGEST)),
		);
	}
};
