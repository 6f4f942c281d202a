import { searchCases } from './listSearch';
import {
	getActivityTypes,
	getRecordTypes,
	getTags,
	getTeams,
	getUserEmails,
	getUserIds,
} from './loadOptions';

/** What fills the lists of the editor, under n8n's own names. */
export const listSearch = { searchCases };
export const loadOptions = {
	getActivityTypes,
	getRecordTypes,
	getTags,
	getTeams,
	getUserEmails,
	getUserIds,
};
