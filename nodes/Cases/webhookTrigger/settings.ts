import type { INodeProperties } from 'n8n-workflow';

import { InvalidInput, quote } from '../api/failures/failure';
import { filtersField } from '../fields/filters/filters';
import { ownOptions } from '../fields/options';
import { CASE_OUTPUT } from '../fields/output';
import { teamField } from '../fields/locators';
import { EVENTS_FIELD, isMatchEvent } from '../trigger/events';
import { activityTypesForm, HIDDEN_FILTERS, LOOP_NOTICE, notice } from '../trigger/form';
import { IGNORED_USERS } from '../trigger/ignoredUsers';
import {
	parametersOf,
	readSettings,
	type Settings,
	type SettingsContext,
} from '../trigger/settings';

const TEAM = teamField('Team whose cases start the workflow');

/** The fields of the form, without the match events, because a post doesn't show whether the case matched before. */
export const webhookTriggerFields: INodeProperties[] = [
	...TEAM.form,
	// Until a team is chosen, n8n shows nothing beside the form.
	notice(
		'teamNotice',
		{ teamId: [''] },
		'Choose a team. Publishing then makes the webhook in the service, and unpublishing deletes it.',
	),
	{ ...EVENTS_FIELD, options: EVENTS_FIELD.options?.filter(({ name }) => !/ Match/.test(name)) },
	LOOP_NOTICE,
	...activityTypesForm,
	...filtersField([...HIDDEN_FILTERS, 'team_id']).form.map((one) => ({
		...one,
		description: 'Only cases that match all of them',
	})),
	...CASE_OUTPUT.form,
	...ownOptions(IGNORED_USERS).form,
];

/** @throws InvalidInput for settings that can't be used, or can never start the workflow */
export function readWebhookSettings(context: SettingsContext): Settings & { teamId: string } {
	const parameters = parametersOf(context);
	const teamId = TEAM.read(parameters, 0);
	const settings = readSettings(parameters);
	const matchEvent = settings.events.find(isMatchEvent);
	if (matchEvent !== undefined) {
		throw new InvalidInput(
			`'Trigger On' of the Cases Webhook Trigger has no event ${quote(matchEvent)}`,
			'Remove the event, or use the Cases Trigger, which has it.',
		);
	}
	return { ...settings, teamId, filters: { ...settings.filters, teamId } };
}
