// Law of this folder: a case becomes one text, and whatever the text leaves out, the text says so.

import type { INodeProperties } from 'n8n-workflow';

import { loadDetails, type CaseDetails } from '../../../api/cases/listsOfCase';
import type { Case } from '../../../api/types';
import { caseLocatorField } from '../../../fields/caseLocator';
import { optionsField, readSwitch, switchOption } from '../../../fields/options';
import { asRecord, parseChoice, parseNames, parseWhole } from '../../../fields/values';
import { noteObserved } from '../../../n8n/hints';
import { forEachItem, valueOf, type Operation } from '../../../n8n/run';
import { caseIdsOfItems, readCasesOfItems } from '../../casesOfItems';
import { MIN_LENGTH } from './fit';
import { renderCase } from './render';

const show = { resource: ['case'], operation: ['digest'] };

const SECTIONS = {
	displayName: 'Sections',
	name: 'sections',
	type: 'multiOptions',
	default: [],
	options: [
		{ name: 'Case Actions', value: 'actions' },
		{ name: 'Closure Conditions', value: 'closure_conditions' },
		{ name: 'Comments', value: 'comments' },
		{ name: 'Description', value: 'description' },
		{ name: 'History', value: 'activities', description: 'Activities other than comments' },
		{ name: 'Linked Cases', value: 'linked_cases' },
		{ name: 'Metadata', value: 'metadata' },
		{
			name: 'Other Fields',
			value: 'other',
			description: 'What only newer versions of the service send',
		},
		{ name: 'Records', value: 'records' },
	],
	description:
		'What the text contains besides name, status, priority, team, people, tags and times. If empty, everything.',
} satisfies INodeProperties;

const SECTION_NAMES = SECTIONS.options.map(({ value }) => value);

const MAX_LENGTH: INodeProperties = {
	displayName: 'Max Length',
	name: 'maxLength',
	type: 'number',
	typeOptions: { minValue: MIN_LENGTH },
	default: 20_000,
	description: `Maximum number of characters, ${MIN_LENGTH} or more. Without this option, nothing is left out. A truncated text says what is missing, and keeps the beginning and the end of the history.`,
};

export const fields: INodeProperties[] = [
	caseLocatorField(show, 'The case to get as a text'),
	optionsField(
		show,
		SECTIONS,
		MAX_LENGTH,
		switchOption('markTexts'),
		switchOption('acceptIncomplete'),
	),
];

const readSections = (given: unknown): string[] =>
	parseNames(given ?? [], 'Sections').map((one) => parseChoice(one, 'Sections', SECTION_NAMES));

export const execute: Operation = async (run) => {
	const ids = caseIdsOfItems(run);
	const caseOf = await readCasesOfItems(run, ids);
	return await forEachItem(run, async (item) => {
		const caseId = valueOf(ids[item]);
		const options = asRecord(run.parameter('options', item, {}));
		const sections = readSections(options.sections);
		const isChosen = (name: string) => sections.length === 0 || sections.includes(name);
		const { maxLength: given } = options;
		const maxLength =
			given === undefined ? undefined : parseWhole(given, MAX_LENGTH.displayName, MIN_LENGTH);
		const acceptIncomplete = readSwitch(run, item, 'acceptIncomplete');
		const isPlain = !run.isTool && !readSwitch(run, item, 'markTexts');
		const key = { caseId, sections, maxLength, acceptIncomplete, isPlain };
		return await run.readShared(key, async () => {
			let row: Case = caseOf(caseId);
			const incomplete: string[] = [];
			const load = async (details: CaseDetails) => {
				const loaded = await loadDetails(run.client, row, details, acceptIncomplete);
				row = loaded.row;
				if (loaded.observed?.incomplete ?? loaded.observed?.keptChanging) incomplete.push(details);
				noteObserved(run, details, loaded.observed);
			};
			if (isChosen('activities') || isChosen('comments')) await load('activities');
			if (isChosen('records')) await load('records');
			const rendered = renderCase(row, isChosen, maxLength, incomplete, isPlain);
			// A model needs only the text, which says what is left out, and marks what comes from the case.
			return [run.isTool ? { text: rendered.text } : rendered];
		});
	});
};
