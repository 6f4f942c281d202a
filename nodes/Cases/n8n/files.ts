import type { IBinaryData, IExecuteFunctions } from 'n8n-workflow';

import { InvalidInput } from '../api/failures/failure';

/** The files of items, which n8n keeps apart from their JSON. Sizes are in bytes. */
export type Files = ReturnType<typeof createFiles>;

/** @throws InvalidInput in a tool */
export function createFiles(context: IExecuteFunctions, isTool: boolean) {
	if (isTool) {
		throw new InvalidInput(
			"Files can't be uploaded or downloaded by a tool of an AI agent, because n8n hands no files to tools",
			'Put the Cases node into the workflow itself, before or after the agent.',
		);
	}
	const { helpers } = context;
	// Old versions of n8n don't count the bytes themselves.
	const sizeOf = async ({ bytes, id, data }: IBinaryData): Promise<number> =>
		bytes ??
		(id ? (await helpers.getBinaryMetadata(id)).fileSize : Buffer.byteLength(data, 'base64'));
	return {
		/** The files that an item has. n8n's nodes pass them on where they add one. */
		ofItem: (item: number) => context.getInputData()[item].binary ?? {},
		/** @throws NodeOperationError where an item has no such binary field */
		find: async (item: number, field: string) => {
			const binary = helpers.assertBinaryData(item, field);
			const read = async () => await helpers.getBinaryDataBuffer(item, field);
			return { name: binary.fileName, size: await sizeOf(binary), read };
		},
		/** Stores the bytes of an answer as they come. */
		store: async (body: AsyncIterable<Uint8Array>, name: string, type: string) => {
			const stream = body as Parameters<typeof helpers.prepareBinaryData>[0];
			const binary = await helpers.prepareBinaryData(stream, name, type);
			return { binary, size: await sizeOf(binary) };
		},
	};
}
