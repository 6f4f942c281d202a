/** Digits of the packed texts: six bits to a character, safe in JSON. */
const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

/** Ones in front of a number that is written in full, because it is far larger than its neighbors. */
const ESCAPE = 24;

/** Bits of a number that is written in full: as many as are exact in JavaScript. */
const FULL = 53;

/**
 * Packs distinct whole numbers into a short text. Only the gaps between the sorted numbers are written (Rice coding): a
 * gap takes few bits where numbers are close together, such as the IDs of cases that a bulk edit touched.
 * @param numbers from 0 to 2^53 - 2
 */
export function packNumbers(numbers: Iterable<number>): string {
	const sorted = [...numbers].sort((a, b) => a - b);
	if (sorted.length === 0) return '';
	const gaps = sorted.map((number, index) => number - (sorted[index - 1] ?? -1) - 1);
	const typical = [...gaps].sort((a, b) => a - b)[gaps.length >> 1];
	const width = Math.max(0, Math.floor(Math.log2(typical + 1)));
	const step = 2 ** width;
	const bits: number[] = [];
	const write = (value: number, count: number) => {
		for (let bit = count - 1; bit >= 0; bit--) bits.push(Math.floor(value / 2 ** bit) % 2);
	};
	write(width, 6);
	for (const gap of gaps) {
		const ones = Math.min(Math.floor(gap / step), ESCAPE);
		for (let one = 0; one < ones; one++) bits.push(1);
		if (ones === ESCAPE) {
			write(gap, FULL);
		} else {
			bits.push(0);
			write(gap % step, width);
		}
	}
	// The end is filled with ones, which begin no gap that ends in time.
	while (bits.length % 6 !== 0) bits.push(1);
	const digits: string[] = [];
	for (let at = 0; at < bits.length; at += 6) {
		digits.push(DIGITS[bits.slice(at, at + 6).reduce((digit, bit) => digit * 2 + bit, 0)]);
	}
	return digits.join('');
}

/** The numbers of a packed text, in ascending order. A text that was not packed here has any numbers, or none. */
export function unpackNumbers(text: string): number[] {
	const total = text.length * 6;
	const bitAt = (at: number) => (DIGITS.indexOf(text[Math.floor(at / 6)]) >> (5 - (at % 6))) & 1;
	const read = (from: number, count: number) => {
		let value = 0;
		for (let at = from; at < from + count; at++) value = value * 2 + bitAt(at);
		return value;
	};
	const width = read(0, 6);
	const numbers: number[] = [];
	let last = -1;
	for (let at = 6; ; ) {
		let ones = 0;
		while (ones < ESCAPE && at < total && bitAt(at) === 1) {
			ones++;
			at++;
		}
		const isFull = ones === ESCAPE;
		const end = at + (isFull ? FULL : 1 + width);
		if (end > total) return numbers;
		last += 1 + (isFull ? read(at, FULL) : ones * 2 ** width + read(at + 1, width));
		numbers.push(last);
		at = end;
	}
}

/** Packs numbers from 0 to 2^30 - 1 in their order, five characters each. */
export function packDigests(digests: number[]): string {
	return digests
		.map((digest) =>
			[24, 18, 12, 6, 0].map((shift) => DIGITS[Math.floor(digest / 2 ** shift) % 64]).join(''),
		)
		.join('');
}

/** The numbers that {@link packDigests} packed. */
export function unpackDigests(text: string): number[] {
	return Array.from({ length: Math.floor(text.length / 5) }, (_, index) =>
		[...text.slice(index * 5, index * 5 + 5)].reduce(
			(digest, digit) => digest * 64 + DIGITS.indexOf(digit),
			0,
		),
	);
}
