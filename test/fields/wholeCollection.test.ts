import { createPoller } from '../../tools/engine/poll';
import { readCollection } from '../../nodes/Cases/fields/form';
import { expectRefused } from '../support/refusal';
import { useService } from '../support/service';

const service = useService({ cases: 1 });

describe('a collection', () => {
	it.each([[{}], [[]], [{ length: 0 }], [undefined], [null], ['']])('is empty: %j', (value) => {
		expect(readCollection(value, 'Options')).toEqual({});
	});

	it('is its entries', () => {
		expect(readCollection({ a: 1, b: '' }, 'Options')).toEqual({ a: 1, b: '' });
	});

	it.each([['={{ {} }}'], [[{}]], [{ length: 9 }]])(
		'that is one value is refused, because n8n has dropped what it means: %j',
		(value) => {
			expectRefused(
				() => readCollection(value, 'Options'),
				"'Options' can't be set by one expression",
				/^Add each entry of 'Options', and use an expression in its field/,
			);
		},
	);
});

describe('a collection of the trigger', () => {
	it.each([
		['filters', 'Filters'],
		['options', 'Options'],
	])('that is one expression stops it before any request: %s', async (name, label) => {
		const poller = await createPoller({
			type: 'n8n-nodes-cases.casesTrigger',
			parameters: { [name]: '={{ ({ status: "OPEN", pageSize: 10 }) }}' },
			credentials: { casesApi: service.credential() },
		});
		await expect(poller.poll()).rejects.toMatchObject({
			message: `'${label}' can't be set by one expression`,
		});
		expect(service.sandbox.requests).toEqual([]);
	});
});
