import { runFiles } from './runFiles';

runFiles(
	'trigger/remembered.test.ts',
	'trigger/eventId.test.ts',
	'trigger/poll.test.ts',
	'trigger/events.test.ts',
	'trigger/keeps.test.ts',
	'trigger/limits.test.ts',
	'trigger/failures.test.ts',
	'trigger/state.test.ts',
	'trigger/matchEvents.test.ts',
	'trigger/log.test.ts',
	'trigger/window.property.test.ts',
	'trigger/simulation.property.test.ts',
);
