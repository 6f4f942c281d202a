// n8n hands over its own dates.
globalThis.Date = globalThis.engineRealm.Date;

// Tests that run n8n's engine load the package as built. Here the nodes are made from the sources, which hold the mutants.
jest.mock('../../tools/engine/load', () => {
	const actual = jest.requireActual('../../tools/engine/load');
	const newNode = (name) => new (jest.requireActual(`../../nodes/Cases/${name}.node`)[name])();
	// Made before the first test: otherwise the code of the forms would be tried by that one test alone.
	const sources = {
		'n8n-nodes-cases.cases': newNode('Cases'),
		'n8n-nodes-cases.casesTrigger': newNode('CasesTrigger'),
		'n8n-nodes-cases.casesWebhookTrigger': newNode('CasesWebhookTrigger'),
	};
	const withSources = async () => {
		const types = await actual.loadTypes();
		const nodeTypes = {
			...types.nodeTypes,
			getByName: (name) => sources[name] ?? types.nodeTypes.getByName(name),
			getByNameAndVersion: (name, version) =>
				sources[name] ?? types.nodeTypes.getByNameAndVersion(name, version),
		};
		return { ...types, nodeTypes };
	};
	let types;
	return { ...actual, builtTypes: () => (types ??= withSources()) };
});
