import type { z } from 'zod';
import { FIELDS, SUB_STATUSES, TEAMS, TEMPLATES } from './directory';
import { ApiError } from './errors';
import { pageParameters, TEAM_PARAMETERS } from './params';
import { ofTeams } from './query';
import { listOfTeams, request, rowWith, type Routes } from './requests';

/** What teams have set up, which forms offer: fields, sub-statuses, templates. */

const AT = { created_at: '2025-10-01T08:00:00Z', updated_at: '2025-10-01T08:00:00Z' };

interface Setting {
	name: string;
	team_id: number;
}

/** @param own parameters of a list that needs a team */
export const settings = <Row extends Setting>(
	name: string,
	rows: readonly Row[],
	toJson: (row: Row) => object,
	own?: Record<string, z.ZodType>,
): Routes => {
	const path = `/api/v1/${name}`;
	const parameters = { ...TEAM_PARAMETERS, ...own };
	const list = listOfTeams(path, name, parameters, ({ access }, { team_id }) => {
		if (own && team_id === undefined) throw ApiError.breach(422, 'team_id is missing');
		return ofTeams(rows, access, team_id).map(toJson);
	});
	return { [`GET ${path}`]: list };
};

const teamOf = ({ team_id }: Setting) => TEAMS.find(({ id }) => id === team_id);

export const FIELD_SETTINGS = settings('case_inputs', FIELDS, ({ team_id, ...field }) => ({
	...{ ...field, ...AT, team: teamOf({ ...field, team_id }) },
}));

const statusJson = ({ team_id, ...status }: (typeof SUB_STATUSES)[number]) => ({
	...{ ...status, team: { id: team_id }, ...AT },
});

export const SETTING_ROUTES: Routes = {
	'GET /api/v1/case_sub_statuses/:statusId': request(undefined, ({ access, ids }) =>
		statusJson(rowWith(ofTeams(SUB_STATUSES, access), ids.statusId)),
	),
	...settings('case_sub_statuses', SUB_STATUSES, statusJson, {}),
	...settings(
		'case_templates',
		TEMPLATES,
		({ id, name, emoji, team_id }) => ({ id, name, emoji, team: teamOf({ name, team_id }), ...AT }),
		pageParameters(100),
	),
};

/** What a value must look like, by type; others are any text. */
const PATTERNS: Readonly<Record<string, RegExp>> = {
	number: /^-?\d+(\.\d+)?$/,
	boolean: /^(true|false)$/,
	timestamp: /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d/,
};

export const isOfType = (value: string, type: string) =>
	PATTERNS[type.toLowerCase()]?.test(value) !== false;
