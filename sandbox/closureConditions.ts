import type { Case } from './types';

/** The formulas that the sandbox understands, and whether a case meets them. Others count as met. */
const FORMULAS: ReadonlyArray<[RegExp, (found: Case, name: string) => boolean]> = [
	[/^=COUNT\((\w+)\) > 0$/, (found, name) => countOf(found, name) > 0],
	[/^=NOT\(ISBLANK\((\w+)\)\)$/, (found, name) => countOf(found, name) > 0],
	[/^=metadata\.(\w+) <> ""$/, ({ metadata }, name) => (metadata[name] ?? '') !== ''],
];

function countOf(found: Case, name: string): number {
	const value: unknown = name === 'actions' ? found.actions() : Reflect.get(found, name);
	return Array.isArray(value) || typeof value === 'string' ? value.length : 0;
}

/** The names of the closure conditions that a case doesn't meet. */
export function unmetConditions(
	found: Case,
	conditions: Case['closure_conditions'] = found.closure_conditions,
): string[] {
	return conditions
		.filter(({ formula }) =>
			FORMULAS.some(([pattern, isMet]) => {
				const name = pattern.exec(formula)?.[1];
				return name !== undefined && !isMet(found, name);
			}),
		)
		.map(({ name }) => name);
}
