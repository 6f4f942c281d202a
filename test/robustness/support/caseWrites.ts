import type { IDataObject } from 'n8n-workflow';
import { byId, itemsWith, OF_ITEM, range } from '../../support/runs';
import { runCases, type Operation } from './operations';
import type { Scene } from './scene';

/** Writes of cases and comments, one for each of five items. */

const WRITTEN = range(1, 5);

interface Write extends Required<Pick<Operation, 'name' | 'sends'>> {
	parameters: Record<string, unknown>;
	/** Prepares the case of an item. @returns what the item has besides the ID */
	before?: (scene: Scene, id: number) => IDataObject | undefined;
	/** What is compared of the output of an item. */
	shown: (row: IDataObject) => string;
	/** What the store holds now that such a write makes, in the form of what is shown. */
	truth: (scene: Scene) => string[];
}

function operationOf({ name, sends, parameters, before, shown, truth }: Write): Operation {
	const isNew = parameters.caseId === undefined;
	return {
		...{ name, kind: 'write', sends },
		requests: WRITTEN.map((id) => (isNew ? 'cases' : String(id))),
		places: { 'the first item': 1, 'a middle item': 3, 'the last item': 5 },
		oneOfSeveral: 3,
		prepare: async (scene, options) => {
			const items = itemsWith(WRITTEN).map((item, index) => ({
				...item,
				...before?.(scene, WRITTEN[index]),
			}));
			return await Promise.resolve(async () => {
				const outcome = await runCases(scene, { ...parameters, options }, items);
				return { ...outcome, data: (outcome.data as IDataObject[]).map(shown).sort() };
			});
		},
		truth: (scene) => truth(scene).sort(),
		afterwards(scene, { failure, data }) {
			const made = truth(scene);
			// Whatever happened, nothing is there twice, and without a failure all of it.
			expect(new Set(made).size).toBe(made.length);
			if (!failure) expect(data).toHaveLength(WRITTEN.length);
		},
	};
}

const ofCases = ({ sandbox }: Scene) => WRITTEN.map((id) => sandbox.store.getCase(id));
const TEXT = 'Seen by a fault';

export const CASE_WRITES: Operation[] = [
	operationOf({
		name: 'case: create',
		sends: 'POST',
		parameters: { operation: 'create', teamId: byId(1), name: `=${TEXT} {{ $json.id }}` },
		shown: ({ name }) => String(name),
		truth: ({ sandbox }) =>
			[...sandbox.store.cases()].map(({ name }) => name).filter((name) => name.startsWith(TEXT)),
	}),
	operationOf({
		name: 'case: update',
		sends: 'PUT',
		parameters: {
			...{ operation: 'update', caseId: OF_ITEM },
			updateFields: { name: `=${TEXT} {{ $json.id }}` },
		},
		shown: ({ case_id, name }) => `${String(case_id)} ${String(name)}`,
		truth: (scene) => ofCases(scene).map(({ case_id, name }) => `${case_id} ${name}`),
	}),
	operationOf({
		name: 'case: close',
		sends: 'PUT',
		parameters: { operation: 'close', caseId: OF_ITEM },
		shown: ({ case_id, status }) => `${String(case_id)} ${String(status)}`,
		truth: (scene) => ofCases(scene).map(({ case_id, status }) => `${case_id} ${status}`),
	}),
	operationOf({
		name: 'case: reopen',
		sends: 'PUT',
		parameters: { operation: 'reopen', caseId: OF_ITEM },
		before: ({ sandbox }, id) => void sandbox.store.closeCase(id),
		shown: ({ case_id, status }) => `${String(case_id)} ${String(status)}`,
		truth: (scene) => ofCases(scene).map(({ case_id, status }) => `${case_id} ${status}`),
	}),
	operationOf({
		name: 'comment: create',
		sends: 'POST and look',
		parameters: { resource: 'comment', operation: 'create', caseId: OF_ITEM, text: TEXT },
		shown: ({ case_id, text }) => `${String(case_id)} ${String(text)}`,
		truth: ({ sandbox }) =>
			WRITTEN.flatMap((id) =>
				sandbox.store.comments(id).map(({ value }) => `${String(id)} ${value}`),
			),
	}),
	operationOf({
		name: 'comment: delete',
		sends: 'DELETE',
		parameters: {
			...{ resource: 'comment', operation: 'delete', caseId: OF_ITEM },
			commentId: '={{ $json.comment }}',
		},
		before: ({ sandbox }, id) => ({ comment: sandbox.store.addComment(id, TEXT).id }),
		shown: ({ case_id }) => String(case_id),
		truth: ({ sandbox }) =>
			WRITTEN.filter((id) => sandbox.store.comments(id).length === 0).map(String),
	}),
];
