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

const wholeAction = action.extend({ query_params: z.record(z.string(), z.string()).optional() });

const actionsBody = z.strictObject({ actions: z.array(action) });
const grownActionsBody = z.strictObject({
	actions: z.array(wholeAction),
});

/**
 * Reads the body of a request for a single action, which takes query_params.
 *
 * @param isPartial whether each field may be left out
 * @throws ApiError 422 that names the field.
 */
export function readActionBody(body: unknown, isPartial: true): Partial<ActionInput>;
export function readActionBody(body: unknown, isPartial: false): ActionInput;
export function readActionBody(body: unknown, isPartial: boolean): Partial<ActionInput> {
	return checked(isPartial ? wholeAction.partial() : wholeAction, body);
}

function checked<T>(schema: z.ZodType<T>, body: unknown): T {
	const result = schema.safeParse(body);
	if (result.success) return result.data;
	const { path, message } = result.error.issues[0];
	throw ApiError.breach(422, `${path.join('.') || 'body'}: ${message}`);
}

/**
 * Reads the body of a batch update: the actions that replace all actions of a case.
 *
 * @throws ApiError 422 that names the field.
 */
export function readActionsBody(body: unknown, traits: Traits): ActionInput[] {
	return checked(traits.has('action-fields') ? grownActionsBody : actionsBody, body).actions;
}
