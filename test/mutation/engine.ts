import { runFiles } from './runFiles';

runFiles(
	'package/description.test.ts',
	'api/sameAction.test.ts',
	'api/labels.test.ts',
	'api/writes.test.ts',
	'api/updateParts.test.ts',
	'fields',
	'resources/case/getAll/filters.test.ts',
	'resources/case/getAll/output.test.ts',
	'resources/case/create.test.ts',
	'resources/case/link.test.ts',
	'resources/case/update.test.ts',
	'resources/case/updateParts.test.ts',
	'resources/comment/create.test.ts',
	'resources/record',
	'resources/task',
	'resources/action',
	'webhookTrigger/lifeCycle.test.ts',
);
