import type { ErrorShape } from './types';

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

/** The body of an error answer in the configured shape, with its content type. */
export function errorBody(
	shape: ErrorShape,
	message: string,
): { body: string; contentType: string } {
	if (shape === 'text') return { body: message, contentType: 'text/plain; charset=utf-8' };
	return {
		body: JSON.stringify(SHAPES[shape](message)),
		contentType: 'application/json; charset=utf-8',
	};
}

const withDetails = (message: string) => ({ message: 'The request failed', details: message });

const SHAPES: Record<Exclude<ErrorShape, 'text'>, (message: string) => unknown> = {
	error: (message) => ({ error: message }),
	message: (message) => ({ message }),
	errors: (message) => ({ errors: [message] }),
	details: (message) => ({ errors: [withDetails(message)] }),
	detailsList: (message) => [withDetails(message)],
	fields: (message) => {
		const [field, ...rest] = message.split(' ');
		return { errors: { [field]: [rest.join(' ')] } };
	},
};
