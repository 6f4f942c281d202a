import { engineRealm } from './engineRealm';

/** Makes the waits before retries, which are random and grow up to seconds, a fiftieth as long. */
export function useShortWaits(): void {
	let spy: jest.SpyInstance;
	beforeAll(() => {
		const { Math } = engineRealm;
		const random = Math.random;
		spy = jest.spyOn(Math, 'random').mockImplementation(() => random() / 50);
	});
	afterAll(() => spy.mockRestore());
}
