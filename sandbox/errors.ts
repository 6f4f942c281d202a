/** An answer other than 200 that is the service's own, not a scripted fault. */
export class ApiError extends Error {
	constructor(
		readonly status: number,
		message: string,
		/** Whether the request broke the API document's rules; a valid request can fail, too. */
		readonly isBreach = false,
	) {
		super(message);
	}

	static breach(status: number, message: string): ApiError {
		return new ApiError(status, message, true);
	}
}

/** What is not there, and what the key may not see. */
export const notFound = () => new ApiError(404, 'Not found');
