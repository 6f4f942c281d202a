import { quote } from './failure';

/** What the editor calls the API's filters, for the form and for messages. */
export const FILTER_LABELS = {
	and_tags: 'Tags (All)',
	tags: 'Tags (Same as All)',
	or_tags: 'Tags (Any)',
	excluded_tags: 'Tags (None)',
	assigned_to_me: 'Assigned to Me',
	unassigned: 'Unassigned',
	assignees: 'Assignees',
	assignee_emails: 'Assignee Emails',
	author_emails: 'Author Emails',
	case_ids: 'Case IDs',
	metadata: 'Metadata',
	priority: 'Priority',
	status: 'Status',
	records: 'Records',
	search: 'Search',
	start_date: 'Date From',
	end_date: 'Date Until',
	resolved_at_start_date: 'Resolved From',
	resolved_at_end_date: 'Resolved Until',
	updated_at_start_date: 'Updated From',
	updated_at_end_date: 'Updated Until',
	team_id: 'Team',
} as const;

/** The API's name of a filter that the form has. */
export type FilterName = keyof typeof FILTER_LABELS;

export const isFilterName = (name: string): name is FilterName =>
	Object.hasOwn(FILTER_LABELS, name);

/** Names a filter in a message: by its label or, where the form doesn't have it, by its name. */
export function nameFilter(name: string): string {
	return isFilterName(name) ? `'${FILTER_LABELS[name]}'` : quote(name);
}
