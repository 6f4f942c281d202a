import '../../tools/engine/environment';
import { PollContext } from 'n8n-core';
import type { Logger } from 'n8n-workflow';

const LEVELS = ['debug', 'info', 'warn', 'error'] as const;

/** A line in n8n's log. */
export interface Line {
	level: (typeof LEVELS)[number];
	message: string;
	metadata?: Record<string, unknown>;
}

/** Records the lines that the nodes write to n8n's log during a test. */
export function useLog(): Line[] {
	const lines: Line[] = [];
	let spies: jest.SpyInstance[];
	beforeEach(() => {
		lines.length = 0;
		// All contexts of n8n have one logger.
		const { logger } = PollContext.prototype as unknown as { logger: Logger };
		spies = LEVELS.map((level) =>
			jest.spyOn(logger, level).mockImplementation((message, metadata) => {
				if (message.startsWith('[n8n-nodes-cases]')) lines.push({ level, message, metadata });
			}),
		);
	});
	afterEach(() => spies.forEach((spy) => spy.mockRestore()));
	return lines;
}
