import { commentIdField } from '../../fields/locators';
import { deleting } from '../deleting';

export const deleteComment = deleting({
	action: 'Delete comment on case',
	description: "Delete a comment by its ID. This can't be undone.",
	noun: 'comment',
	idField: commentIdField('ID of the comment to delete'),
	advice:
		'Check the two IDs: Get Many of comments returns them. Older versions of the service have no request for single comments.',
});
