import { createCase } from '../../api/writes/caseWrites';
import { fieldValuesOf, withStatus } from '../../api/writes/updateParts';
import { ADDITIONAL_FIELDS, CASE_NAME } from '../../fields/caseValues';
import { teamField } from '../../fields/locators';
import { optionsField, PREVIEW_ONLY } from '../../fields/options';
import { CASE_OUTPUT, shapeCase } from '../../fields/output';
import { asRecord } from '../../fields/values';
import { writing } from '../define';
import { previewOfNew } from '../writeItems';

export const create = writing({
	name: 'Create',
	action: 'Create case',
	description:
		'Create a new case in a team. Each run creates another one, also when n8n retries the node.',
	fields: {
		teamId: teamField('Team that the new case belongs to'),
		name: CASE_NAME,
		additional: ADDITIONAL_FIELDS,
		output: CASE_OUTPUT,
		options: optionsField({ previewOnly: PREVIEW_ONLY }),
	},
	plan:
		({ client, notes }) =>
		({ teamId, name, additional, output, options }) => ({
			carryOut: async () => {
				const given = { team_id: Number(teamId), name, ...additional };
				const creation = await withStatus(client, given);
				if (options.previewOnly) return previewOfNew({}, creation);
				const row = await createCase(client, creation);
				// The service leaves out values of fields that the team lacks, without an error.
				const shown = fieldValuesOf(row);
				for (const id of Object.keys(asRecord(additional.field_values))) {
					if (!(id in shown)) notes.hint('lostValues', id);
				}
				return { row: { ...shapeCase(row, output), changed: true }, outcome: 'Written' };
			},
		}),
});
