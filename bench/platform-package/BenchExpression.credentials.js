/** A credential that adds its header by expressions, as most do. */
class BenchExpression {
	name = 'benchExpression';
	displayName = 'Bench Expression';
	properties = [{ displayName: 'Key', name: 'key', type: 'string', default: '' }];
	authenticate = {
		type: 'generic',
		properties: { headers: { '={{ "X-User-" + "Token" }}': '={{ $credentials.key }}' } },
	};
}
module.exports = { BenchExpression };
