import { readSwitch, type SwitchName } from './options';
import type { Parameters } from './form';

const NAMES = ['previewOnly', 'skipUnchanged'] as const satisfies SwitchName[];

/** The values of the options Preview Only and Skip Unchanged. */
export type WriteSwitches = { [Name in (typeof NAMES)[number]]: boolean };

function switches(isOn: (name: (typeof NAMES)[number]) => boolean): WriteSwitches {
	return Object.fromEntries(NAMES.map((name) => [name, isOn(name)])) as WriteSwitches;
}

/** Reads the switches of one input item. @throws InvalidInput, so that a wrong value isn't taken for off */
export function readWriteSwitches(parameters: Parameters, item: number): WriteSwitches {
	return switches((name) => readSwitch(parameters, item, name));
}

/** The switches for a case that several items name. One item is enough to turn a switch on, so that less is written. */
export function strictest(ofItems: WriteSwitches[]): WriteSwitches {
	return switches((name) => ofItems.some((one) => one[name]));
}
