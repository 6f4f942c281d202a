class SampleTrigger {
	description = {
		displayName: 'Sample Trigger',
		name: 'sampleTrigger',
		group: ['trigger'],
		version: 1,
		description: 'Counts its polls and starts a workflow with every second one',
		defaults: { name: 'Sample Trigger' },
		polling: true,
		inputs: [],
		outputs: ['main'],
		properties: [
			{ displayName: 'Show Budget', name: 'showBudget', type: 'boolean', default: false },
		],
	};
	async poll() {
		const activation = this.getActivationMode();
		if (this.getNodeParameter('showBudget')) {
			const budget = this.getPollBudgetMs ? this.getPollBudgetMs() : null;
			return [[{ json: { budget, activation } }]];
		}
		const staticData = this.getWorkflowStaticData('node');
		const count = (staticData.count ?? 0) + 1;
		staticData.count = count;
		return count % 2 === 0 ? [[{ json: { count, activation } }]] : null;
	}
}
exports.SampleTrigger = SampleTrigger;
