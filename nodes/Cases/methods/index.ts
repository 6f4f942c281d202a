import { searchCases } from './listSearch';
import {
	getActivityTypes,
	getRecordTypes,
	getTags,
	getTeams,
	getUserEmails,
	getUserIds,
	searchTeams,
} from './loadOptions';

/** What fills the lists of the editor, under n8n's own names. */
export const listSearch = { searchCases, searchTeams };
export const loadOptions = {
	getActivityTypes,
	getRecordTypes,
	getTags,
	getTeams,
	getUserEmails,
	getUserIds,
};
