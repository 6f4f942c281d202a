import { readSwitch, type SwitchName } from './options';
import type { Parameters } from './form';

const NAMES = ['previewOnly', 'skipUnchanged'] as const satisfies SwitchName[];

/** How to write a case. */
export type WriteSwitches = { [Name in (typeof NAMES)[number]]: boolean };

function switches(isOn: (name: (typeof NAMES)[number]) => boolean): WriteSwitches {
	return Object.fromEntries(NAMES.map((name) => [name, isOn(name)])) as WriteSwitches;
}

/** The switches that one input item sets. @throws InvalidInput: a wrong value must not write */
export function readWriteSwitches(parameters: Parameters, item: number): WriteSwitches {
	return switches((name) => readSwitch(parameters, item, name));
}

/** The switches for a case that several items name: one item is enough to turn one on, so that less is written. */
export function strictest(ofItems: WriteSwitches[]): WriteSwitches {
	return switches((name) => ofItems.some((one) => one[name]));
}
