import { z } from 'zod';
import type { Traits } from './grown';
import { ACTION_TYPES } from './types';

const documented = z.strictObject({
	url: z.string().refine((value) => {
		const url = URL.canParse(value) ? new URL(value) : undefined;
		return url !== undefined && /^https?:\/\//i.test(value) && url.hostname !== '';
	}, 'must be an absolute http(s) URL'),
	label: z.string().refine((value) => value.trim() !== '', 'must not be empty'),
	action_type: z.enum(ACTION_TYPES),
	action_text: z.string().min(1, 'must not be empty').optional(),
});

/** An action as the requests for single actions take it. */
export const actionBody = documented.extend({
	query_params: z.record(z.string(), z.string()).optional(),
});

/** The body of a batch update: the actions that replace all actions of a case. */
export const actionsBody = (traits: Traits) =>
	z.strictObject({ actions: z.array(traits.has('further-fields') ? actionBody : documented) });
