import type { IBinaryData, IExecuteFunctions } from 'n8n-workflow';

import { InvalidInput } from '../api/failures/failure';

/** A file of an input item. */
export interface InputFile {
	name?: string;
	/** In bytes. */
	size: number;
	read: () => Promise<Buffer>;
}

/** The files of items, which n8n keeps apart from their JSON. */
export interface Files {
	/** @throws NodeOperationError where an item has no such binary field */
	find: (item: number, field: string) => Promise<InputFile>;
	/** Stores the bytes of an answer as they come. `size` is in bytes. */
	store: (
		body: AsyncIterable<Uint8Array>,
		name: string,
		type: string,
	) => Promise<{ binary: IBinaryData; size: number }>;
}

/** @throws InvalidInput in a tool */
export function createFiles({ helpers }: IExecuteFunctions, isTool: boolean): Files {
	if (isTool) {
		throw new InvalidInput(
			"Files can't be uploaded or downloaded by a tool of an AI agent, because n8n hands no files to tools",
			'Put the Cases node into the workflow itself, before or after the agent.',
		);
	}
	// Old versions of n8n don't count the bytes themselves.
	const sizeOf = async ({ bytes, id, data }: IBinaryData): Promise<number> =>
		bytes ??
		(id ? (await helpers.getBinaryMetadata(id)).fileSize : Buffer.byteLength(data, 'base64'));
	return {
		find: async (item, field) => {
			const binary = helpers.assertBinaryData(item, field);
			const read = async () => await helpers.getBinaryDataBuffer(item, field);
			return { name: binary.fileName, size: await sizeOf(binary), read };
		},
		store: async (body, name, type) => {
			const stream = body as Parameters<typeof helpers.prepareBinaryData>[0];
			const binary = await helpers.prepareBinaryData(stream, name, type);
			return { binary, size: await sizeOf(binary) };
		},
	};
}
