import { caseField } from '../../fields/caseLocator';
import { optionsField, PREVIEW_ONLY } from '../../fields/options';
import { writing } from '../define';
import { replacing } from './replace';

/** Clear is Replace All without actions. */
export const clear = writing({
	name: 'Clear',
	action: 'Clear case actions',
	description: "Remove all actions from a case. This can't be undone.",
	fields: {
		caseId: caseField('The case to remove all actions from'),
		options: optionsField({ previewOnly: PREVIEW_ONLY }),
	},
	plan:
		({ client }) =>
		({ caseId, options: { previewOnly } }) =>
			replacing(client, caseId, [], { previewOnly, isSkipped: false }),
});
