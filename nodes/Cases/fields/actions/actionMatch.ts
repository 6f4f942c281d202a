import type { INodeProperties } from 'n8n-workflow';

import { shortenLabel } from '../../api/actions/labels';
import { urlOf } from '../../api/actions/sameAction';
import { InvalidInput } from '../../api/failures/failure';
import type { CaseAction } from '../../api/types';
import { tidyUrl } from '../../api/http/url';
import type { Parameters, Show } from '../form';
import { parseText } from '../values';

const LABEL_FIELD: INodeProperties = {
	displayName: 'Label',
	name: 'matchLabel',
	type: 'string',
	default: '',
	placeholder: 'e.g. Contain host',
	description:
		'Delete the actions with this label. Enter a label, a URL or both. If you enter both, only actions with this label and this URL are deleted.',
};

const URL_FIELD: INodeProperties = {
	displayName: 'URL',
	name: 'matchUrl',
	type: 'string',
	default: '',
	placeholder: 'e.g. https://example.com/webhook/contain',
	description: 'Delete the actions with this URL',
};

/** Which actions of a case to take: by label, by URL, or by both. */
export function actionMatchFields(show: Show): INodeProperties[] {
	return [LABEL_FIELD, URL_FIELD].map((field) => ({ ...field, displayOptions: { show } }));
}

/**
 * Which actions an input item means, as a function that finds them among those of a case. A long label is also found by the short form that Ask and Wait puts on a case.
 * @throws InvalidInput when it names none, and for an expression without a value: otherwise the other field alone would
 * decide
 */
export function readActionMatch({ parameter }: Parameters, item: number) {
	const read = ({ name, displayName }: INodeProperties) =>
		parseText(parameter(name, item, ''), displayName).trim();
	const label = read(LABEL_FIELD);
	const url = read(URL_FIELD);
	if (label === '' && url === '') {
		throw new InvalidInput(
			"Neither 'Label' nor 'URL' was given",
			'Enter the label or the URL of the action to delete. To remove all actions, use the operation Clear.',
		);
	}
	const wantedUrl = tidyUrl(url);
	const wantedLabels = [label, shortenLabel(label)];
	const isMeant = (action: CaseAction) =>
		(url === '' || urlOf(action) === wantedUrl) &&
		(label === '' || wantedLabels.includes(String(action.label ?? '').trim()));
	return (actions: CaseAction[]) => new Set(actions.filter(isMeant));
}
