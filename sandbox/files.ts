import { extname } from 'node:path';
import { z } from 'zod';
import { ownEntry, writerOf } from './caseWrites';
import { member } from './params';
import { CASE, created, listOfCase, Reply, requestOfCase, rowWith, type Routes } from './requests';
import { activityJson } from './serialize';
import type { CaseContext } from './service';
import type { Activity, StoredFile } from './types';

/** The files of cases. A file is an entry of the activity log, and has its ID. */

const FILES = `${CASE}/files`;
const FILE = `${FILES}/:fileId`;

const isBase64 = (text: string) => Buffer.from(text, 'base64').toString('base64') === text;
const NEW_FILE = z.strictObject({
	filename: member.text,
	file_contents: z.string().refine(isBase64, 'must be base64'),
	value: member.text.optional(),
	author_email: member.text.optional(),
});

/** Content types by the end of a name. */
const TYPES: Readonly<Record<string, string>> = {
	...{ '.txt': 'text/plain', '.html': 'text/html', '.eml': 'message/rfc822' },
	...{ '.png': 'image/png', '.jpg': 'image/jpeg', '.pdf': 'application/pdf' },
};
const typeOf = ({ filename }: StoredFile) =>
	TYPES[extname(filename).toLowerCase()] ?? 'application/octet-stream';

type FileActivity = Activity & { file: StoredFile };
const filesOf = ({ found }: CaseContext) =>
	found.activities().filter((one): one is FileActivity => one.file !== undefined);
const fileIn = (context: CaseContext) => rowWith(filesOf(context), context.ids.fileId);

const fileJson = (entry: Activity, { service, found: { case_id } }: CaseContext) => ({
	...{ case_id, ...activityJson(entry, service, case_id), reactions: entry.reactions },
});

function attach(context: CaseContext, given: z.infer<typeof NEW_FILE>): object {
	const { service, found } = context;
	const { filename, file_contents, value } = given;
	const type = value ? 'FILE_ATTACHED_AND_COMMENTED' : 'FILE_ATTACHED';
	const entry = service.store.addActivity(found.case_id, type, {
		...{ value, file: { filename, bytes: Buffer.from(file_contents, 'base64') } },
		user_id: writerOf(context, found.team.id, given.author_email),
	});
	return created(fileJson(entry, context));
}

function info(context: CaseContext): object {
	const { file } = fileIn(context);
	const { filename, bytes } = file;
	return { filename, content_type: typeOf(file), sizeinbytes: bytes.length };
}

function download(context: CaseContext): Reply {
	const { file } = fileIn(context);
	return new Reply(200, file.bytes, { 'content-type': typeOf(file) });
}

/** @throws ApiError 404, also where the key may not */
function remove(context: CaseContext): void {
	const { service, access, ids, found } = context;
	const { id } = ownEntry(filesOf(context), context, ids.fileId);
	service.store.deleteEntry(found.case_id, id, 'FILE_DELETED', { user_id: access.user_id });
}

export const FILE_ROUTES: Routes = {
	[`GET ${FILES}`]: listOfCase('files', filesOf, (rows, context) =>
		rows.map((one) => ({ ...fileJson(one, context), case_id: undefined })),
	),
	[`POST ${FILES}`]: requestOfCase(NEW_FILE, attach),
	[`GET ${FILE}`]: requestOfCase(undefined, (context) => fileJson(fileIn(context), context)),
	[`GET ${FILE}/info`]: requestOfCase(undefined, info),
	[`GET ${FILE}/download`]: requestOfCase(undefined, download),
	[`DELETE ${FILE}`]: requestOfCase(undefined, remove),
};
