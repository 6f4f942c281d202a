import type { Payload, Service } from '../service';

const HTML = '<!DOCTYPE html><html><body><h1>Saved</h1></body></html>';

/** The answer to a batch update that was carried out, as the deviations say. */
export function batchAnswer({ deviating }: Service, payload: Payload): Payload {
	const { fields, list } = payload;
	switch (deviating.current.actions?.batchAnswer) {
		case undefined:
			return payload;
		case 'reversed':
			return { fields, list: { ...list, itemsJson: [...list.itemsJson].reverse() } };
		case 'noContent':
			return { ...payload, instead: { status: 204, body: '' } };
		case 'html':
			return {
				...payload,
				instead: { status: 200, contentType: 'text/html; charset=utf-8', body: HTML },
			};
		case 'empty':
			return { ...payload, instead: { status: 200, contentType: 'application/json', body: '' } };
		case 'noList':
			return { ...payload, instead: { status: 200, contentType: 'application/json', body: '{}' } };
	}
}
