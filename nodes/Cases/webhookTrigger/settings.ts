import type { INodeProperties } from 'n8n-workflow';

import { InvalidInput, quote } from '../api/failures/failure';
import { readTeam, teamField } from '../fields/teamLocator';
import { typesField } from '../fields/options';
import { filtersField, type FilterName } from '../fields/filters/filters';
import { outputFields } from '../fields/output';
import { EVENTS_FIELD, isMatchEvent } from '../trigger/events';
import { readSettings, type Settings, type SettingsContext } from '../trigger/settings';

const HIDDEN: FilterName[] = ['team_id', 'updated_at_start_date', 'updated_at_end_date'];

/** The fields of the form, without the match events, because a post doesn't show whether the case matched before. */
export const webhookTriggerFields: INodeProperties[] = [
	teamField('Team whose cases start the workflow'),
	{ ...EVENTS_FIELD, options: EVENTS_FIELD.options?.filter(({ name }) => !/ Match/.test(name)) },
	typesField('activityTypes', { show: { events: ['activityAdded'] } }),
	{ ...filtersField(undefined, HIDDEN), description: 'Only cases that match all of them' },
	...outputFields(),
];

/** @throws InvalidInput for settings that can't be used, or can never start the workflow */
export function readWebhookSettings(context: SettingsContext): Settings & { teamId: string } {
	const teamId = readTeam({ parameter: (name) => context.getNodeParameter(name) }, 0);
	const settings = readSettings(context, Date.now());
	const matchEvent = settings.events.find(isMatchEvent);
	if (matchEvent !== undefined) {
		throw new InvalidInput(
			`'Trigger On' of the Cases Webhook Trigger has no event ${quote(matchEvent)}`,
			'Remove the event, or use the Cases Trigger, which has it.',
		);
	}
	return { ...settings, teamId, filters: { ...settings.filters, teamId } };
}
