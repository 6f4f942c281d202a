import { z } from 'zod';
import { ApiError, notFound } from './errors';
import { member } from './params';
import { CASE, caseWith, created, edit, listOfCase, requestOfCase, type Routes } from './requests';
import { linkedCases } from './serialize';
import type { CaseContext } from './service';
import type { Case } from './types';

/** Links between cases, which both cases have. */

/** Newer tenants take 150. */
const MOST_IN_BATCH = 50;
const LINKS = `${CASE}/linked_cases`;

const caseId = z.union([member.id, z.string().regex(/^[1-9]\d*$/)]).transform(Number);
const BATCH = z.strictObject({ ids: z.array(caseId).min(1).max(MOST_IN_BATCH) });

const nameOf = ({ case_id, name }: Case) => ({ case_id, name });

/** Makes or removes a link of two cases, on both sides. */
function setLink(context: CaseContext, id: number, isLinked: boolean): void {
	const { service, found } = context;
	for (const [one, other] of [
		[found.case_id, id],
		[id, found.case_id],
	]) {
		const side = service.store.findCase(one);
		if (!side || side.linked_case_ids.includes(other) === isLinked) continue;
		const others = side.linked_case_ids.filter((linked) => linked !== other);
		const linked_case_ids = isLinked ? [...others, other] : others;
		edit({ ...context, found: side }, { linked_case_ids });
	}
}

/** Links a case to others, all or none. @throws ApiError 404 or 422 */
function link(context: CaseContext, { ids }: z.infer<typeof BATCH>) {
	const others = ids.map((id) => caseWith(context, id).found);
	if (others.includes(context.found)) throw new ApiError(422, "A case can't be linked to itself");
	for (const id of ids) setLink(context, id, true);
	return created({ ...nameOf(context.found), linked_cases: others.map(nameOf) });
}

export const LINK_ROUTES: Routes = {
	[`GET ${LINKS}`]: listOfCase(
		'linked_cases',
		({ service, found }) => linkedCases(service.store, found),
		(rows) => [...rows],
		nameOf,
	),
	[`POST ${LINKS}/batch`]: requestOfCase(BATCH, link),
	[`DELETE ${LINKS}/:linkedId`]: requestOfCase(undefined, (context) => {
		const id = context.found.linked_case_ids.find((one) => String(one) === context.ids.linkedId);
		if (id === undefined) throw notFound();
		setLink(context, id, false);
	}),
};
