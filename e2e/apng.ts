import { crc32 } from 'node:zlib';

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

interface Chunk {
	type: string;
	data: Buffer;
}

/** A PNG, and how long it is shown: up to 65 seconds. */
export interface Frame {
	png: Buffer;
	seconds: number;
}

function chunksOf(png: Buffer): Chunk[] {
	const chunks: Chunk[] = [];
	for (let at = SIGNATURE.length; at < png.length; ) {
		const length = png.readUInt32BE(at);
		const type = png.toString('latin1', at + 4, at + 8);
		chunks.push({ type, data: png.subarray(at + 8, at + 8 + length) });
		at += 12 + length;
	}
	return chunks;
}

function bytesOf({ type, data }: Chunk): Buffer {
	const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
	return Buffer.concat([uint32(data.length), body, uint32(crc32(body))]);
}

function uint32(...values: number[]): Buffer {
	const buffer = Buffer.alloc(4 * values.length);
	values.forEach((value, index) => buffer.writeUInt32BE(value, 4 * index));
	return buffer;
}

/**
 * Joins PNGs of one size and color type into an animated PNG, which repeats without an end.
 * @param still what a viewer shows that doesn't know animated PNGs; it isn't one of the frames
 */
export function animatedPng(still: Buffer, frames: Frame[]): Buffer {
	const [header, ...rest] = chunksOf(still);
	const size = header.data.subarray(0, 8);
	const dataOf = (chunks: Chunk[]) => chunks.filter(({ type }) => type === 'IDAT');
	let sequence = 0;
	const animation = frames.flatMap(({ png, seconds }): Chunk[] => {
		const [ownHeader, ...own] = chunksOf(png);
		if (!ownHeader.data.equals(header.data)) {
			throw new Error('All pictures must have one size and color type');
		}
		const delay = Buffer.alloc(6); // milliseconds over 1000; the last two bytes mean: replace the picture before
		delay.writeUInt16BE(Math.round(seconds * 1000), 0);
		delay.writeUInt16BE(1000, 2);
		const control = Buffer.concat([uint32(sequence++), size, uint32(0, 0), delay]);
		const data = dataOf(own).map((chunk) => Buffer.concat([uint32(sequence++), chunk.data]));
		return [
			{ type: 'fcTL', data: control },
			...data.map((bytes) => ({ type: 'fdAT', data: bytes })),
		];
	});
	const chunks: Chunk[] = [
		header,
		{ type: 'acTL', data: uint32(frames.length, 0) },
		...dataOf(rest),
		...animation,
		{ type: 'IEND', data: Buffer.alloc(0) },
	];
	return Buffer.concat([SIGNATURE, ...chunks.map(bytesOf)]);
}
