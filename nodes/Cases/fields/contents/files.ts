import { requiredText } from '../caseValues';

export const binaryField = (displayName: string, name: string, description: string) =>
	requiredText(
		{ displayName, name, type: 'string', default: 'data', placeholder: 'e.g. data', description },
		[`'${displayName}' has no name`, 'Enter a name, such as data.'],
	);
