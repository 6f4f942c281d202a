import { engineRealm } from '../../support/engineRealm';

/** Makes the waits before retries, which are random and grow up to seconds, a fiftieth as long. */
export function useShortWaits(): void {
	beforeAll(() => {
		const { Math } = engineRealm;
		const random = Math.random;
		jest.spyOn(Math, 'random').mockImplementation(() => random() / 50);
	});
	afterAll(() => jest.restoreAllMocks());
}
