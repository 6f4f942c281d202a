import { engineRealm } from './engineRealm';

/** The local clock of the nodes, as a test can move it. */
export interface NodeClock {
	/** Lets time pass without anybody waiting. */
	advance: (ms: number) => void;
	/** Lets no other time pass until the end of the test. The nodes can't wait then, as before a retry. */
	stop: () => void;
}

export function useNodeClock(): NodeClock {
	const now = engineRealm.Date.now.bind(engineRealm.Date);
	let passedMs = 0;
	let stoppedAt: number | undefined;
	beforeAll(() => {
		jest.spyOn(engineRealm.Date, 'now').mockImplementation(() => (stoppedAt ?? now()) + passedMs);
	});
	afterEach(() => (stoppedAt = undefined));
	afterAll(() => jest.restoreAllMocks());
	return { advance: (ms) => void (passedMs += ms), stop: () => void (stoppedAt = now()) };
}
