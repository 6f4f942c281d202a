/** A credential that adds its header by a function. */
class BenchFunction {
	name = 'benchFunction';
	displayName = 'Bench Function';
	properties = [{ displayName: 'Key', name: 'key', type: 'string', default: '' }];
	authenticate = async ({ key }, options) => ({
		...options,
		headers: { ...options.headers, 'X-User-Token': key },
	});
}
module.exports = { BenchFunction };
