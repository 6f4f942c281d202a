import type { INodeProperties } from 'n8n-workflow';

import { InvalidInput, quote } from '../api/failure';
import type { Parameters } from './parameters';
import { asRecord } from './values';

export const previewOnlyOption: INodeProperties = {
	displayName: 'Preview Only',
	name: 'previewOnly',
	type: 'boolean',
	default: true,
	description:
		'Whether to show what would change, without writing anything. Each item shows the actions before and after.',
};

/**
 * Whether an input item is only previewed.
 * @throws InvalidInput for anything but true and false: a wrong value must not write
 */
export function readPreviewOnly({ parameter }: Parameters, item: number): boolean {
	const options = asRecord(parameter('options', item, {}));
	if (!('previewOnly' in options)) return false;
	const { previewOnly } = options;
	if (previewOnly === true || previewOnly === 'true') return true;
	if (previewOnly === false || previewOnly === 'false') return false;
	throw new InvalidInput(
		`'Preview Only' is ${quote(previewOnly ?? '')}, which is neither true nor false`,
		"Nothing was written. Check the expression of 'Preview Only'.",
	);
}
