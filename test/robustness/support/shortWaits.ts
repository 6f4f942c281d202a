/**
 * Makes the waits before retries, which are random and grow up to seconds, a fiftieth as long. The file that uses it
 * needs an engine of its own: `@jest-environment node`.
 */
export function useShortWaits(): void {
	beforeAll(() => {
		const random = Math.random;
		jest.spyOn(Math, 'random').mockImplementation(() => random() / 50);
	});
	afterAll(() => jest.restoreAllMocks());
}
