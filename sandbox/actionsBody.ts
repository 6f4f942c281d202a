import { z } from 'zod';
import { ApiError } from './errors';
import type { Traits } from './grown';
import { ACTION_TYPES, type ActionInput } from './types';

const action = z.strictObject({
	url: z.string().refine((value) => {
		const url = URL.canParse(value) ? new URL(value) : undefined;
		return url !== undefined && /^https?:\/\//i.test(value) && url.hostname !== '';
	}, 'must be an absolute http(s) URL'),
	label: z.string().refine((value) => value.trim() !== '', 'must not be empty'),
	action_type: z.enum(ACTION_TYPES),
	action_text: z.string().min(1, 'must not be empty').optional(),
});

const actionsBody = z.strictObject({ actions: z.array(action) });
const grownActionsBody = z.strictObject({
	actions: z.array(action.extend({ query_params: z.record(z.string(), z.string()).optional() })),
});

/**
 * Reads the body of a batch update: the actions that replace all actions of a case.
 *
 * @throws ApiError 422 that names the field.
 */
export function readActionsBody(body: unknown, traits: Traits): ActionInput[] {
	const schema = traits.has('action-fields') ? grownActionsBody : actionsBody;
	const result = schema.safeParse(body);
	if (result.success) return result.data.actions;
	const { path, message } = result.error.issues[0];
	throw ApiError.breach(422, `${path.join('.') || 'body'}: ${message}`);
}
