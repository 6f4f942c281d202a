import type { INodeProperties } from 'n8n-workflow';

import { readCollection, type Show } from './form';
import type { Parameters } from './parameters';
import { parseSwitch } from './values';

/** The switches of the operations that write. Each item may set its own by an expression. */

export const previewOnlyOption: INodeProperties = {
	displayName: 'Preview Only',
	name: 'previewOnly',
	type: 'boolean',
	default: true,
	description:
		'Whether to show what would change, without writing anything. Each item shows the actions before and after.',
};

export const skipUnchangedOption: INodeProperties = {
	displayName: 'Skip Unchanged',
	name: 'skipUnchanged',
	type: 'boolean',
	default: true,
	description:
		'Whether to read the cases first, and skip those that already have exactly these actions, in this order. A case that gets a Button Text is written unless the service returns these texts.',
};

export const readButtonTextsOption: INodeProperties = {
	displayName: 'Read Button Texts',
	name: 'readButtonTexts',
	type: 'boolean',
	default: true,
	description:
		"Whether to request a case's own list of actions where button texts would otherwise get lost. The API document doesn't have this list, but newer services do. It costs one more request for such a case.",
};

export function acceptTextLossField(show: Show): INodeProperties {
	return {
		displayName: 'Allow Losing Button Texts',
		name: 'acceptTextLoss',
		type: 'boolean',
		default: false,
		displayOptions: { show },
		description:
			"Whether the case's other actions may lose their button texts. Most services don't return button texts, so this node can't keep them. If off, a case with such actions isn't changed and gives an error.",
	};
}

/** How to write a case. */
export interface WriteSwitches {
	/** Whether to show the write without making it. */
	previewOnly: boolean;
	/** Whether to leave a case alone that already is as wanted. */
	skipUnchanged: boolean;
	/** Whether actions that are kept may lose their button texts. */
	acceptTextLoss: boolean;
	/** Whether to request the button texts where they would get lost. */
	readButtonTexts: boolean;
}

/**
 * The switches that one input item sets; off where the form doesn't show them or they weren't added.
 * @throws InvalidInput naming the switch that is neither on nor off: a wrong value must not write
 */
export function readWriteSwitches({ parameter }: Parameters, item: number): WriteSwitches {
	const options = readCollection(parameter('options', item, {}), 'Options');
	const option = ({ name, displayName }: INodeProperties) =>
		name in options && parseSwitch(options[name], displayName);
	return {
		previewOnly: option(previewOnlyOption),
		skipUnchanged: option(skipUnchangedOption),
		acceptTextLoss: parseSwitch(
			parameter('acceptTextLoss', item, false),
			'Allow Losing Button Texts',
		),
		readButtonTexts: option(readButtonTextsOption),
	};
}

/**
 * The switches for a case that several items name: those under which less can get lost. Each "on" but that of
 * `acceptTextLoss` is the careful choice.
 */
export function strictest(switches: WriteSwitches[]): WriteSwitches {
	return {
		previewOnly: switches.some(({ previewOnly }) => previewOnly),
		skipUnchanged: switches.some(({ skipUnchanged }) => skipUnchanged),
		acceptTextLoss: switches.every(({ acceptTextLoss }) => acceptTextLoss),
		readButtonTexts: switches.some(({ readButtonTexts }) => readButtonTexts),
	};
}
