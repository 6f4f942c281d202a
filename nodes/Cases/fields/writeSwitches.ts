import type { INodeProperties } from 'n8n-workflow';

import { readCollection } from './form';
import type { Parameters } from './parameters';
import { parseSwitch } from './values';

/** The switches of the operations that write: form and reading come from their row. Each item may set its own. */
const WRITE_SWITCHES = {
	/** Whether to show the write without making it. */
	previewOnly: {
		label: 'Preview Only',
		description:
			'Whether to show what would change, without writing anything. Each item shows what is there before and after.',
	},
	/** Whether to leave a case alone that already is as wanted. */
	skipUnchanged: {
		label: 'Skip Unchanged',
		description:
			"Whether to read the cases first, and skip those that already have exactly these actions, in this order. If you enter a Button Text and the service doesn't return button texts, the case is always written.",
	},
	keepButtons: {
		label: 'Keep Buttons',
		description:
			'Whether the buttons stay on the case after the answer. Pressing them again then changes nothing.',
	},
} satisfies Record<string, { label: string; description: string }>;

type SwitchName = keyof typeof WRITE_SWITCHES;

/** How to write a case. */
export type WriteSwitches = { [Name in SwitchName]: boolean };

function switches(isOn: (name: SwitchName) => boolean): WriteSwitches {
	const names = Object.keys(WRITE_SWITCHES) as SwitchName[];
	return Object.fromEntries(names.map((name) => [name, isOn(name)])) as WriteSwitches;
}

/** A switch that is an entry of Options: on once it is added, off until then. */
export function switchOption(
	name: SwitchName,
	description = WRITE_SWITCHES[name].description,
): INodeProperties {
	const { label } = WRITE_SWITCHES[name];
	return { displayName: label, name, type: 'boolean', default: true, description };
}

/**
 * The switches that one input item sets; off where they weren't added.
 * @throws InvalidInput naming the switch that is neither on nor off: a wrong value must not write
 */
export function readWriteSwitches({ parameter }: Parameters, item: number): WriteSwitches {
	const given = readCollection(parameter('options', item, {}), 'Options');
	return switches((name) => name in given && parseSwitch(given[name], WRITE_SWITCHES[name].label));
}

/** The switches for a case that several items name: one item is enough to turn one on, so that less is written. */
export function strictest(ofItems: WriteSwitches[]): WriteSwitches {
	return switches((name) => ofItems.some((one) => one[name]));
}
