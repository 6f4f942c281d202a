import { engineRealm } from './engineRealm';

/** Makes the waits before retries, which are random and grow up to seconds, a fiftieth as long. */
export function useShortWaits(): void {
	beforeEach(() => {
		const { Math } = engineRealm;
		const random = Math.random;
		jest.spyOn(Math, 'random').mockImplementation(() => random() / 50);
	});
	afterEach(() => jest.restoreAllMocks());
}
