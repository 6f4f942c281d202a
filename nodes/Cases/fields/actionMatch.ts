import type { INodeProperties } from 'n8n-workflow';

import { InvalidInput } from '../api/failure';
import { shortenLabel } from '../api/actions/labels';
import { told } from '../api/actions/sameAction';
import type { CaseAction } from '../api/types';
import { tidyUrl } from '../api/url';
import type { Show } from './form';
import type { Parameters } from './parameters';
import { parseText } from './values';

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

/** Which actions are meant; at least one of both is given. */
export interface ActionMatch {
	url?: string;
	label?: string;
}

/** @throws InvalidInput for an expression without a value: otherwise the other field alone would decide */
function readText({ parameter }: Parameters, item: number, field: INodeProperties) {
	const { name, displayName } = field;
	const value = parameter(name, item, '');
	if (value === undefined || value === null) {
		throw new InvalidInput(
			`The expression in '${displayName}' returned nothing`,
			'Nothing was written. Check the expression, or leave the field empty.',
		);
	}
	const text = parseText(value, displayName);
	return text.trim() === '' ? undefined : text;
}

/** Which actions an input item means. @throws InvalidInput when it names none */
export function readActionMatch(parameters: Parameters, item: number): ActionMatch {
	const label = readText(parameters, item, LABEL_FIELD);
	const url = readText(parameters, item, URL_FIELD);
	if (label === undefined && url === undefined) {
		throw new InvalidInput(
			"Neither 'Label' nor 'URL' was given",
			'Enter the label or the URL of the action to delete. To remove all actions, use the operation Clear.',
		);
	}
	return { url, label };
}

/** The actions that are meant. A long label is also found by the short form that Ask and Wait puts on a case. */
export function actionsMeant({ url, label }: ActionMatch, actions: CaseAction[]): Set<CaseAction> {
	const tidied = url === undefined ? undefined : tidyUrl(url.trim());
	const labels = label === undefined ? undefined : [label.trim(), shortenLabel(label)];
	const isMeant = (action: CaseAction) =>
		(tidied === undefined || tidied === told(action).url) &&
		(labels === undefined || labels.includes(String(action.label ?? '').trim()));
	return new Set(actions.filter(isMeant));
}
