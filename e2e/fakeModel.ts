import fastify from 'fastify';

export interface ChatRequest {
	messages: Array<{ role: string; content: string; tool_call_id?: string }>;
	tools?: ModelTool[];
}

/** A tool as it is described to a model. */
export interface ModelTool {
	function: {
		name: string;
		description: string;
		parameters: { properties: ToolParameters };
	};
}

/** By their names. Those of a tool with a human review stand one level deeper. */
export interface ToolParameters {
	[name: string]: { description?: string; properties?: ToolParameters };
}

/** A call of a tool, by the name that the model gets for it. */
export interface ToolCall {
	tool: string;
	args: object;
}

/** What a model answers: a text, or calls of tools in one turn. */
export type Turn = string | ToolCall[];

/** A stand-in for a language model with the chat completions API of OpenAI. */
export interface FakeModel {
	/** The base URL for n8n's OpenAI credential. */
	url: string;
	/** The tools of the first request. */
	readonly tools: ModelTool[];
	/** What the tools returned, in the order of the calls. */
	readonly toolResults: string[];
	stop(): Promise<void>;
}

/**
 * Starts a model that makes these calls, one after another, then ends the conversation. Calls in a list are made in one turn.
 */
export async function startFakeModel(turns: Array<ToolCall | ToolCall[]>): Promise<FakeModel> {
	const turnsLeft = turns.map((turn) => [turn].flat());
	return await startModel(() => turnsLeft.shift() ?? 'Done.');
}

/** Starts a model that answers each request as this function says. */
export async function startModel(answer: (request: ChatRequest) => Turn): Promise<FakeModel> {
	const tools: ModelTool[] = [];
	const toolResults: string[] = [];
	const app = fastify();
	let made = 0;

	app.post<{ Body: ChatRequest }>('/v1/chat/completions', ({ body }) => {
		if (tools.length === 0) tools.push(...(body.tools ?? []));
		const answers = body.messages.filter(({ role }) => role === 'tool');
		toolResults.push(...answers.slice(toolResults.length).map(({ content }) => content));
		const turn = answer(body);
		if (typeof turn === 'string') return completion('stop', { content: turn });
		const tool_calls = turn.map(({ tool, args }) => ({
			id: `call_${++made}`,
			type: 'function',
			function: { name: tool, arguments: JSON.stringify(args) },
		}));
		return completion('tool_calls', { content: null, tool_calls });
	});
	const url = await app.listen({ host: '127.0.0.1', port: 0 });
	return { url: `${url}/v1`, tools, toolResults, stop: async () => await app.close() };
}

function completion(finish_reason: string, message: object) {
	return {
		id: 'chatcmpl-1',
		object: 'chat.completion',
		created: 0,
		model: 'fake',
		choices: [{ index: 0, finish_reason, message: { role: 'assistant', ...message } }],
		usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
	};
}
