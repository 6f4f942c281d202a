import { failureOf } from '../support/runs';
import { useService } from '../support/service';

const service = useService({ cases: 1 });

describe('Custom API Call, which n8n adds to the form by itself,', () => {
	it.each([
		['as resource', { resource: '__CUSTOM_API_CALL__' }],
		['as operation', { resource: 'case', operation: '__CUSTOM_API_CALL__' }],
	])('is refused %s, with the way to make such a call', async (_where, parameters) => {
		const run = await service.run(parameters);
		expect(failureOf(run)).toMatchObject({
			name: 'NodeOperationError',
			message: 'A custom API call needs the HTTP Request node',
			description: expect.stringMatching(
				/^Replace this node by an HTTP Request node: .* Predefined Credential Type .* Cases API\.$/,
			),
		});
		expect(service.sandbox.requests).toEqual([]);
	});
});

describe('An operation that the node does not have', () => {
	it.each([
		[{ resource: 'case', operation: 'merge' }, '"merge" of resource "case"'],
		[{ resource: 'case', operation: 'constructor' }, '"constructor" of resource "case"'],
		[{ resource: 'constructor' }, '"" of resource "constructor"'],
	])('is refused by its name: %j', async (parameters, name) => {
		const run = await service.run(parameters);
		expect(failureOf(run)).toMatchObject({
			name: 'NodeOperationError',
			message: `The Cases node has no operation ${name}`,
			description: expect.stringMatching(/HTTP Request node/),
		});
		expect(service.sandbox.requests).toEqual([]);
	});
});
