import type { INodeProperties } from 'n8n-workflow';

import { readCollection, type Show } from './form';
import type { Parameters } from './parameters';
import { parseSwitch } from './values';

/** A switch of the operations that write: form and reading come from its row. */
interface WriteSwitch {
	label: string;
	description: string;
	/** Where several items name one case, whether one item is enough to turn it on: so that less can get lost. */
	onFor: 'any item' | 'all items';
}

/** The switches of the operations that write. Each item may set its own by an expression. */
const WRITE_SWITCHES = {
	/** Whether actions that are kept may lose their button texts. */
	acceptTextLoss: {
		label: 'Allow Losing Button Texts',
		description:
			"Whether the case's other actions may lose their button texts. Most services don't return button texts, so this node can't keep them. If off, a case with such actions isn't changed, and its item fails.",
		onFor: 'all items',
	},
	/** Whether to show the write without making it. */
	previewOnly: {
		label: 'Preview Only',
		description:
			'Whether to show what would change, without writing anything. Each item shows the actions before and after.',
		onFor: 'any item',
	},
	/** Whether to request the button texts and the query parameters where they would get lost. */
	readButtonTexts: {
		label: 'Read Button Texts',
		description:
			'Whether to read the button texts or query parameters from another list before they would get lost. Only newer services have this list. Takes one more request for each such case.',
		onFor: 'any item',
	},
	/** Whether to leave a case alone that already is as wanted. */
	skipUnchanged: {
		label: 'Skip Unchanged',
		description:
			"Whether to read the cases first, and skip those that already have exactly these actions, in this order. If you enter a Button Text and the service doesn't return button texts, the case is always written.",
		onFor: 'any item',
	},
} satisfies Record<string, WriteSwitch>;

type SwitchName = keyof typeof WRITE_SWITCHES;

/** How to write a case. */
export type WriteSwitches = { [Name in SwitchName]: boolean };

function switches(isOn: (name: SwitchName) => boolean): WriteSwitches {
	const names = Object.keys(WRITE_SWITCHES) as SwitchName[];
	return Object.fromEntries(names.map((name) => [name, isOn(name)])) as WriteSwitches;
}

/** A switch that is an entry of Options: on once it is added, off until then. */
export function switchOption(name: SwitchName): INodeProperties {
	const { label, description } = WRITE_SWITCHES[name];
	return { displayName: label, name, type: 'boolean', default: true, description };
}

/** A field of its own, because off must be seen. */
export function acceptTextLossField(show: Show): INodeProperties {
	const field = switchOption('acceptTextLoss');
	return { ...field, default: false, displayOptions: { show } };
}

/**
 * The switches that one input item sets; off where the form doesn't show them or they weren't added.
 * @throws InvalidInput naming the switch that is neither on nor off: a wrong value must not write
 */
export function readWriteSwitches({ parameter }: Parameters, item: number): WriteSwitches {
	const given: Record<string, unknown> = {
		...readCollection(parameter('options', item, {}), 'Options'),
		acceptTextLoss: parameter('acceptTextLoss', item, false),
	};
	return switches((name) => name in given && parseSwitch(given[name], WRITE_SWITCHES[name].label));
}

/** The switches for a case that several items name: those under which less can get lost. */
export function strictest(ofItems: WriteSwitches[]): WriteSwitches {
	return switches((name) =>
		WRITE_SWITCHES[name].onFor === 'all items'
			? ofItems.every((one) => one[name])
			: ofItems.some((one) => one[name]),
	);
}
