import { textForm, type ValuesOf } from '../fields/form';
import { ifAdded, switchOption, type Option } from '../fields/options';
import { asRecord, parseEach, parseEmail } from '../fields/values';

/** The email addresses of users whose doings start nothing. */
const USERS: Option<string[]> = {
	form: textForm(
		'ignoredUsers',
		'Ignored Users',
		'e.g. ada@acme.example.com',
		"Email addresses, with commas between them. Comments, activities and new cases of these users start nothing. If workflows use a person's key, enter that person.",
	),
	read: ({ ignoredUsers }) => parseEach(ignoredUsers, 'Ignored Users', parseEmail),
};

/** The options of the triggers with which they leave out what some users do. */
export const IGNORED_USERS = {
	areAccountsIgnored: switchOption(
		'ignoreServiceAccounts',
		'Ignore Service Accounts',
		'Whether comments, activities and new cases of service accounts start nothing, so that what a workflow writes with such a key starts no workflow',
	),
	ignoredEmails: ifAdded(USERS),
};

/** Creates a function that says whether a user, as the service returns it, is ignored. */
export const createIgnored =
	({ areAccountsIgnored, ignoredEmails }: ValuesOf<typeof IGNORED_USERS>) =>
	(user: unknown): boolean => {
		const { email, is_service_account } = asRecord(user);
		const isAccount = areAccountsIgnored && is_service_account === true;
		return isAccount || ignoredEmails?.includes(String(email).trim().toLowerCase()) === true;
	};
