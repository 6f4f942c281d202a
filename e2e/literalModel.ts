import type { ChatRequest, ModelTool, ToolCall, ToolParameters, Turn } from './fakeModel';

/**
 * A model that knows nothing but what the tools say: for each sentence of the task it takes the tool whose name and
 * description have most of its words, and fills each parameter as its description says, word by word.
 */
export function literalModel({ messages, tools = [] }: ChatRequest): Turn {
	const task = messages.filter(({ role }) => role === 'user').at(-1)?.content ?? '';
	const results = messages.filter(({ role }) => role === 'tool');
	const step = task.split(/(?<=[.?!])\s+/)[results.length];
	if (step === undefined) return results.map(({ content }) => content).join('\n');
	return [callFor(step, tools)];
}

/** The call that a sentence asks for. */
export function callFor(step: string, tools: ModelTool[]): ToolCall {
	const [best] = [...tools].sort((a, b) => likeness(step, b) - likeness(step, a));
	const { name, parameters } = best.function;
	return { tool: name, args: valuesFor(step, parameters.properties) };
}

function valuesFor(step: string, wanted: ToolParameters): object {
	return Object.fromEntries(
		Object.entries(wanted).map(([name, { description = '', properties }]) => [
			name,
			properties ? valuesFor(step, properties) : valueFor(step, description),
		]),
	) as object;
}

const wordsOf = (text: string) => new Set(text.toLowerCase().match(/[a-z]{3,}/g) ?? []);

/** How many words a sentence has of a tool; the words of the name count twice. */
function likeness(step: string, { function: { name, description } }: ModelTool): number {
	const words = [...wordsOf(step)];
	const shared = (text: string) => words.filter((word) => wordsOf(text).has(word)).length;
	return 2 * shared(name.replaceAll('_', ' ')) + shared(description);
}

/** Of values in capitals those that the sentence has; of a whole number its number; of words what stands in quotes. */
function valueFor(step: string, description: string): string {
	const choices = description.match(/\b[A-Z]{3,}\b/g) ?? [];
	if (choices.length > 0) {
		return choices.filter((choice) => wordsOf(step).has(choice.toLowerCase())).join(',');
	}
	if (description.includes('whole number')) return /\d+/.exec(step)?.[0] ?? '';
	return /"([^"]+)"/.exec(step)?.[1] ?? '';
}
