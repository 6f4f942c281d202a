import { FILE_ID } from '../../fields/locators';
import { deleting } from '../deleting';

export const deleteFile = deleting({
	action: 'Delete file of case',
	description:
		"Delete a file by its ID. This can't be undone. Only its uploader or an administrator may.",
	noun: 'file',
	idField: FILE_ID,
	advice: 'Check the two IDs. Only the uploader of a file or an administrator may delete it.',
});
