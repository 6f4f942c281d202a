import type { Parameters } from '../../nodes/Cases/fields/form';

/** Parameters with these values in each item, without expressions. All others have their fallback. */
export const parametersWith = (values: Record<string, unknown>, startedAt = 0): Parameters => ({
	parameter: (name, _item, fallback) => (name in values ? values[name] : fallback),
	stored: () => undefined,
	timezone: 'Europe/Berlin',
	startedAt,
});
