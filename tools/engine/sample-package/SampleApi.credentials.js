class SampleApi {
	name = 'sampleApi';
	displayName = 'Sample API';
	properties = [
		{ displayName: 'Base URL', name: 'baseUrl', type: 'string', default: '' },
		{ displayName: 'Scheme', name: 'scheme', type: 'string', default: 'header' },
		{ displayName: 'Token', name: 'token', type: 'string', default: '' },
	];
	authenticate = {
		type: 'generic',
		properties: {
			headers: {
				'={{ $credentials.scheme === "bearer" ? "Authorization" : "X-Sample-Token" }}':
					'={{ ($credentials.scheme === "bearer" ? "Bearer " : "") + $credentials.token }}',
			},
		},
	};
	test = {
		request: { baseURL: '={{ $credentials.baseUrl }}', url: '' },
		rules: [
			{
				type: 'responseCode',
				properties: { value: 401, message: 'The token is wrong' },
			},
			{
				type: 'responseSuccessBody',
				properties: { key: 'state', value: 'locked', message: 'The account is locked' },
			},
		],
	};
}
exports.SampleApi = SampleApi;
