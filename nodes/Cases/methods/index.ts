import { searchCases } from './listSearch';
import { getTags, getTeams, getUserEmails, getUserIds } from './loadOptions';

/** What fills the lists of the editor, under n8n's own names. */
export const listSearch = { searchCases };
export const loadOptions = { getTags, getTeams, getUserEmails, getUserIds };
