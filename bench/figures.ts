/** A measured ratio or count, with what it should be. */
export interface Figure {
	/** Short and stable, for comparing runs. */
	id: string;
	/** What was measured. */
	what: string;
	/** What it is compared with. */
	against: string;
	measured: number;
	/** Follows the number: `×`, ` requests`, ` ms`, … */
	unit: string;
	/** Must be reached; undefined where the figure is only reported. */
	floor?: number;
	/** Should be reached. */
	goal?: number;
	/** Default: lower. */
	better?: 'higher' | 'lower';
	/** The quantities behind the figure; in a pair the node comes before the `:`. */
	detail: string;
	/** A pair of bars for the chart: the node and the peer. */
	bar?: { label: string; ours: number; peers: number; unit: 'ms' | 'bytes' };
}

export type Verdict = 'goal reached' | 'floor reached, goal missed' | 'MISSED' | 'reported';

/** How a figure compares with its floor and goal. */
export function verdictOf({ measured, floor, goal, better = 'lower' }: Figure): Verdict {
	const reaches = (bound: number) => (better === 'lower' ? measured <= bound : measured >= bound);
	if (floor !== undefined && !reaches(floor)) return 'MISSED';
	if (goal === undefined) return floor === undefined ? 'reported' : 'goal reached';
	if (reaches(goal)) return 'goal reached';
	return floor === undefined ? 'MISSED' : 'floor reached, goal missed';
}

/** Three significant digits at most, and no more than two decimals. */
export function formatNumber(value: number): string {
	const decimals = Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 10 ? 1 : 2;
	return String(Number(value.toFixed(decimals)));
}

/** In seconds from one second, otherwise in milliseconds. */
export function formatMs(ms: number): string {
	return ms >= 1000 ? `${formatNumber(ms / 1000)} s` : `${formatNumber(ms)} ms`;
}

export function formatMegabytes(bytes: number): string {
	return `${formatNumber(bytes / 1e6)} MB`;
}
