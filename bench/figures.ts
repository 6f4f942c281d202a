/** A measured ratio or count, with what it should be. */
export interface Figure {
	/** Short and stable, for the chart and for comparing runs. */
	id: string;
	/** `platform`: what n8n itself costs; default: the node. */
	section?: 'platform';
	/** What was measured. */
	what: string;
	/** What it is compared with. */
	against: string;
	measured: number;
	/** Stands after the numbers: `×`, ` requests`, ` ms`, … */
	unit: string;
	/** Must be reached; undefined where the figure is only reported. */
	floor?: number;
	/** Should be reached. */
	goal?: number;
	/** Default: lower. */
	better?: 'higher' | 'lower';
	/** The measured quantities behind it, in words and numbers: what was measured first, `:`, the other. */
	detail: string;
	/** A pair of bars of the chart: what the node takes, and the peer. */
	bar?: { label: string; ours: number; peers: number; unit: 'ms' | 'bytes' };
}

export type Verdict = 'goal reached' | 'floor reached, goal missed' | 'MISSED' | 'reported';

/** How a figure stands against its floor and goal. */
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

/** Seconds from one on, else milliseconds. */
export function formatMs(ms: number): string {
	return ms >= 1000 ? `${formatNumber(ms / 1000)} s` : `${formatNumber(ms)} ms`;
}

export function formatMegabytes(bytes: number): string {
	return `${formatNumber(bytes / 1e6)} MB`;
}
