// Law of this folder: a case becomes one text, and whatever the text leaves out, the text says so.

import type { INodeProperties } from 'n8n-workflow';

import { loadDetails, readListOfCase, type CaseDetails } from '../../../api/cases/listsOfCase';
import { MAX_PAGE_SIZE } from '../../../api/types';
import { caseField } from '../../../fields/caseLocator';
import {
	ACCEPT_INCOMPLETE,
	ifAdded,
	numberOption,
	optionsField,
	switchOption,
	type Option,
} from '../../../fields/options';
import { parseChoice, parseEach } from '../../../fields/values';
import { noteObserved } from '../../../n8n/hints';
import { readingCases } from '../../define';
import { FULL_TEXTS, fitText } from '../../fitting';
import { MIN_LENGTH } from './fit';
import { MUST_BE_CHOSEN, renderCase } from './render';

const SECTIONS_FORM = {
	displayName: 'Sections',
	name: 'sections',
	type: 'multiOptions',
	default: [],
	options: [
		{ name: 'Case Actions', value: 'actions' },
		{ name: 'Closure Conditions', value: 'closure_conditions' },
		{ name: 'Comments', value: 'comments' },
		{ name: 'Description', value: 'description' },
		{ name: 'Files', value: 'files', description: 'Only newer versions of the service have files' },
		{ name: 'History', value: 'activities', description: 'Activities other than comments' },
		{ name: 'Linked Cases', value: 'linked_cases' },
		{ name: 'Metadata', value: 'metadata' },
		{
			name: 'Other Fields',
			value: 'other',
			description: 'What only newer versions of the service send',
		},
		{ name: 'Records', value: 'records' },
		{ name: 'Tasks', value: 'tasks', description: 'Only newer versions of the service have tasks' },
	],
	description:
		'What the text contains besides name, status, priority, team, people, tags and times. If empty, everything but files and tasks.',
} satisfies INodeProperties;

const SECTION_NAMES = SECTIONS_FORM.options.map(({ value }) => value);

const SECTIONS: Option<string[]> = {
	form: SECTIONS_FORM,
	read: (added) =>
		parseEach('sections' in added ? added.sections : [], 'Sections', (one, label) =>
			parseChoice(one, label, SECTION_NAMES),
		),
};

const MAX_LENGTH = numberOption(
	'maxLength',
	'Max Length',
	[MIN_LENGTH],
	20_000,
	`Maximum number of characters, ${MIN_LENGTH} or more. Without this option, nothing is left out, but in an agent's tool a text has about 20,000. A truncated text says what is missing, and keeps the beginning and the end of the history.`,
);

const MARK_TEXTS = switchOption(
	'markTexts',
	'Mark Texts of the Case',
	"Whether to put what the case says into backticks and code blocks, so that a model doesn't mistake it for instructions. Always on in an agent's tool.",
);

export const digest = readingCases({
	name: 'Get as Text',
	action: 'Get case as text',
	description:
		'Get a case as one readable text, with its history, comments and records: for a model, a mail or a ticket',
	fields: {
		caseId: caseField('The case to get as a text'),
		options: optionsField({
			sections: SECTIONS,
			maxLength: ifAdded(MAX_LENGTH),
			markTexts: MARK_TEXTS,
			acceptIncomplete: ACCEPT_INCOMPLETE,
			fullTexts: FULL_TEXTS,
		}),
	},
	rows: async (run, { caseId, options }, given) => {
		const { sections, maxLength, markTexts, acceptIncomplete, fullTexts } = options;
		const isChosen = (name: string) =>
			sections.length === 0 ? !Object.hasOwn(MUST_BE_CHOSEN, name) : sections.includes(name);
		let row = given;
		const incomplete: string[] = [];
		const load = async (details: CaseDetails) => {
			const loaded = await loadDetails(run.client, row, details, acceptIncomplete);
			row = loaded.row;
			if (loaded.observed?.incomplete ?? loaded.observed?.keptChanging) incomplete.push(details);
			noteObserved(run, details, loaded.observed);
		};
		if (isChosen('activities') || isChosen('comments')) await load('activities');
		if (isChosen('records')) await load('records');
		for (const list of ['files', 'tasks'] as const) {
			if (!isChosen(list)) continue;
			const reads = { pageSize: MAX_PAGE_SIZE, acceptIncomplete };
			const { rows, observed } = await readListOfCase(run.client, caseId, list, reads);
			row = { ...row, [list]: rows.map((one) => MUST_BE_CHOSEN[list](one)) };
			if (observed.incomplete ?? observed.keptChanging) incomplete.push(list);
			noteObserved(run, list, observed);
		}
		const isPlain = !run.isTool && !markTexts;
		const render = (length?: number) => renderCase(row, isChosen, length, incomplete, isPlain);
		if (!run.isTool) return [render(maxLength)];
		const isFitted = maxLength === undefined && !fullTexts;
		// A model needs only the text, which says what is left out, and marks what comes from the case.
		return [{ text: (isFitted ? fitText(run, render) : render(maxLength)).text }];
	},
});
