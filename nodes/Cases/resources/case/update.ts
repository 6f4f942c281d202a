import { ApiFailure } from '../../api/failures/failure';
import { CHECK_VALUES } from '../../api/failures/failureTable';
import type { Client } from '../../api/http/client';
import type { Row } from '../../api/types';
import { changeOf } from '../../api/writes/caseChanges';
import type { CaseUpdate } from '../../api/writes/caseWrites';
import { updateCase, withStatus } from '../../api/writes/updateParts';
import { caseField } from '../../fields/caseLocator';
import { SUB_STATUS, UPDATE_FIELDS } from '../../fields/caseValues';
import { optionsField, PREVIEW_ONLY, skipUnchanged } from '../../fields/options';
import { CASE_OUTPUT, shapeCase, type Output } from '../../fields/output';
import { asRecord } from '../../fields/values';
import { writing, type Texts } from '../define';
import type { Write } from '../writeItems';

const OPTIONS = {
	previewOnly: PREVIEW_ONLY,
	isSkipped: skipUnchanged(
		'Whether to read the cases first, fifty per request, and skip those that need no change',
	),
};

/** What an input item wants of an update. */
interface Wanted {
	caseId: string;
	output: Output;
	options: { previewOnly: boolean; isSkipped: boolean };
}

/** The names of the conditions under which a case can be closed. */
function conditionsOf({ closure_conditions: conditions }: Row): Row {
	const names = Array.isArray(conditions) ? conditions.map((one) => asRecord(one).name) : [];
	return names.length === 0 ? {} : { closure_conditions: names };
}

/** Makes a write that updates a case. The output says whether the case changed where it was read before. */
function updating(client: Client, { caseId, output, options }: Wanted, given: CaseUpdate): Write {
	const isRead = options.isSkipped || options.previewOnly;
	const carryOut: Write['carryOut'] = async (readCase) => {
		const update = await withStatus(client, given);
		if (isRead) {
			const row = await readCase();
			const { changed, ...values } = changeOf(row, update);
			if (options.previewOnly) {
				const conditions = update.status === 'closed' ? conditionsOf(row) : {};
				const shown = { case_id: row.case_id, changed, ...values, ...conditions };
				return { row: shown, outcome: 'Preview' };
			}
			if (!changed) return { row: { ...shapeCase(row, output), changed }, outcome: 'Unchanged' };
		}
		const row = shapeCase(await updateCase(client, caseId, update), output);
		return { row: isRead ? { ...row, changed: true } : row, outcome: 'Written' };
	};
	return { caseId, isRead, carryOut };
}

export const update = writing({
	name: 'Update',
	action: 'Update case',
	description:
		'Change fields, assignees, tags or metadata of a case. Only what is given is overwritten.',
	fields: {
		caseId: caseField('The case to update'),
		update: UPDATE_FIELDS,
		output: CASE_OUTPUT,
		options: optionsField(OPTIONS),
	},
	plan:
		({ client }) =>
		(values) =>
			updating(client, values, values.update),
});

/** Names the case in the failure of a status that the service refuses: such an operation has no values to check. */
const refusing = (caseId: string, status: string) => (failure: unknown) => {
	if (!(failure instanceof ApiFailure) || failure.details.httpCode !== 422) throw failure;
	const description = failure.details.description.replace(CHECK_VALUES, '').replace(/ {2,}/, ' ');
	throw new ApiFailure(`Case ${caseId} can't be set to ${status} (422)`, {
		...failure.details,
		description,
	});
};

/** Defines an operation that sets the status of cases. */
const settingStatus = (texts: Texts, description: string, status: 'closed' | 'open') =>
	writing({
		...texts,
		fields: {
			caseId: caseField(description),
			output: CASE_OUTPUT,
			options: optionsField({ ...OPTIONS, subStatus: SUB_STATUS }),
		},
		plan:
			({ client }) =>
			(values) => {
				const write = updating(client, values, { status, ...values.options.subStatus });
				return {
					...write,
					carryOut: async (...given) =>
						await write.carryOut(...given).catch(refusing(values.caseId, status)),
				};
			},
	});

export const close = settingStatus(
	{
		name: 'Close',
		action: 'Close case',
		description: 'Close a case. The service refuses until its closure conditions are met.',
	},
	'The case to close',
	'closed',
);

export const reopen = settingStatus(
	{ name: 'Reopen', action: 'Reopen case', description: 'Open a closed case again' },
	'The case to reopen',
	'open',
);
