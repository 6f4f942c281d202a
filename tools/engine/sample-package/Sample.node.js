const { NodeApiError } = require('n8n-workflow');

class Sample {
	description = {
		displayName: 'Sample',
		name: 'sample',
		group: ['transform'],
		version: 1,
		description: 'Requests the path of each item',
		defaults: { name: 'Sample' },
		inputs: ['main'],
		outputs: ['main'],
		credentials: [{ name: 'sampleApi', required: true }],
		properties: [{ displayName: 'Greeting', name: 'greeting', type: 'string', default: 'hello' }],
	};
	methods = {
		listSearch: {
			async search(filter) {
				const { token } = await this.getCredentials('sampleApi');
				const value = this.getCurrentNodeParameter('greeting');
				return { results: [{ name: filter + ' ' + token, value }], paginationToken: 2 };
			},
		},
		loadOptions: {
			async options() {
				const { token } = await this.getCredentials('sampleApi');
				return [{ name: this.getNodeParameter('greeting'), value: token }];
			},
		},
	};
	async execute() {
		const { id, name } = this.getNode().credentials.sampleApi;
		const data = await this.getCredentials('sampleApi');
		const credentialsDecrypted = { id, name, type: 'sampleApi', data };
		const items = [];
		for (const [item, { json }] of this.getInputData().entries()) {
			try {
				const answer = await this.helpers.httpRequestWithAuthentication.call(
					this,
					'sampleApi',
					{ url: data.baseUrl + json.path, json: true },
					{ credentialsDecrypted },
				);
				const timezone = this.getTimezone();
				const greeting = this.getNodeParameter('greeting', item);
				items.push({ json: { ...answer, timezone, greeting }, pairedItem: { item } });
			} catch (error) {
				if (!this.continueOnFail()) throw new NodeApiError(this.getNode(), error);
				items.push({ json: { error: String(error.httpCode) }, pairedItem: { item } });
			}
		}
		this.addExecutionHints({ message: 'Read ' + items.length + ' paths' });
		return [items];
	}
}
exports.Sample = Sample;
