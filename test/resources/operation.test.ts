import { failureOf } from '../support/runs';
import { useService } from '../support/service';

const service = useService({ cases: 1 });

describe('An operation that the node does not have', () => {
	it.each([
		[{ resource: 'case', operation: 'merge' }, '"merge" of resource "case"'],
		[{ resource: 'case', operation: 'constructor' }, '"constructor" of resource "case"'],
		[{ resource: 'constructor' }, '"" of resource "constructor"'],
		// n8n adds these to the form by itself.
		[{ resource: '__CUSTOM_API_CALL__' }, '"" of resource "__CUSTOM_API_CALL__"'],
		[
			{ resource: 'case', operation: '__CUSTOM_API_CALL__' },
			'"__CUSTOM_API_CALL__" of resource "case"',
		],
	])(
		'is refused by its name, with the way to send other requests: %j',
		async (parameters, name) => {
			const run = await service.run(parameters);
			expect(failureOf(run)).toMatchObject({
				name: 'NodeOperationError',
				message: `The Cases node has no operation ${name}`,
				description: expect.stringMatching(
					/HTTP Request node: .* Predefined Credential Type .* Cases API\.$/,
				),
			});
			expect(service.sandbox.requests).toEqual([]);
		},
	);
});
