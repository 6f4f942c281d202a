import { z } from 'zod';
import { ApiError, notFound } from './errors';
import { member } from './params';
import { CASE, created, listOfCase, requestOfCase, visibleCase, type Routes } from './requests';
import { linkedCases } from './serialize';
import type { CaseContext, Context } from './service';
import type { Case } from './types';

/** Links between cases, which both cases have. */

const MOST_LINKS = 150;
/** Newer tenants take 150. */
const MOST_IN_BATCH = 50;
const LINKS = `${CASE}/linked_cases`;

const caseId = z.union([member.id, z.string().regex(/^[1-9]\d*$/)]).transform(Number);
const BATCH = z.strictObject({ ids: z.array(caseId).min(1).max(MOST_IN_BATCH) });

const nameOf = ({ case_id, name }: Case) => ({ case_id, name });

/** Makes or removes a link of two cases, on both sides. */
function setLink({ service, access }: Context, first: number, second: number, isLinked: boolean) {
	for (const [one, other] of [
		[first, second],
		[second, first],
	]) {
		const before = service.store.findCase(one)?.linked_case_ids ?? [];
		if (before.includes(other) === isLinked) continue;
		const left = before.filter((id) => id !== other);
		const linked_case_ids = isLinked ? [...left, other] : left;
		service.store.editContent(one, { linked_case_ids, by: access.user_id });
	}
}

/** Links a case to others, all or none. @throws ApiError 404 or 422 */
function link(context: CaseContext, { ids }: z.infer<typeof BATCH>) {
	const { case_id, linked_case_ids } = context.found;
	const others = ids.map((id) => visibleCase({ ...context, ids: { caseId: String(id) } }));
	const all = new Set([...linked_case_ids, ...ids]);
	if (all.has(case_id)) throw new ApiError(422, "A case can't be linked to itself");
	if (all.size > MOST_LINKS) throw new ApiError(422, `A case has at most ${MOST_LINKS} links`);
	for (const id of ids) setLink(context, case_id, id, true);
	return others.map(nameOf);
}

/** @throws ApiError 404 */
function unlink(context: CaseContext): void {
	const { case_id, linked_case_ids } = context.found;
	const other = linked_case_ids.find((id) => String(id) === context.ids.linkedId);
	if (other === undefined) throw notFound();
	setLink(context, case_id, other, false);
}

export const LINK_ROUTES: Routes = {
	[`GET ${LINKS}`]: listOfCase(
		'linked_cases',
		({ service, found }) => linkedCases(service.store, found),
		(rows) => [...rows],
		nameOf,
	),
	[`POST ${LINKS}`]: requestOfCase(z.strictObject({ id: caseId }), (context, { id }) => {
		const [linked_case] = link(context, { ids: [id] });
		return created({ ...nameOf(context.found), linked_case });
	}),
	[`POST ${LINKS}/batch`]: requestOfCase(BATCH, (context, given) =>
		created({ ...nameOf(context.found), linked_cases: link(context, given) }),
	),
	[`DELETE ${LINKS}/:linkedId`]: requestOfCase(undefined, unlink),
};
