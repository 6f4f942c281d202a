import fc from 'fast-check';
import type { Fault } from '../../sandbox';
import { byId } from '../support/runs';
import { faultsOf, useFaultedService } from './support/faultedService';

// A service that drops, delays, truncates and lengthens answers can't get a wrong file into an item. More of them:
// `DOWNLOADS_RUNS=10000 npx jest test/robustness/downloads.property`.

const RUNS = Number(process.env.DOWNLOADS_RUNS ?? 100);
const TIMEOUT = 60;

const service = useFaultedService(RUNS, ['case-writes', 'newer-requests']);

const fault: fc.Arbitrary<Fault> = fc.oneof(
	fc.record({
		kind: fc.constant('status' as const),
		// Not 404: of a service without descriptions of files only the Content-Length is known, which these faults fit.
		status: fc.constantFrom(400, 401, 403, 422, 429, 500, 502, 503, 504),
	}),
	fc.record({ kind: fc.constant('lengthened' as const), bytes: fc.integer({ min: 1, max: 50 }) }),
	fc.record({
		kind: fc.constant('slow' as const),
		pieces: fc.integer({ min: 2, max: 4 }),
		everyMs: fc.constantFrom(1, 3 * TIMEOUT),
	}),
	fc.constantFrom<Fault>(
		{ kind: 'drop' },
		{ kind: 'reset' },
		{ kind: 'truncatedJson' },
		{ kind: 'html' },
		{ kind: 'empty' },
		{ kind: 'redirect', status: 302, to: 'https://elsewhere.example/' },
		{ kind: 'latency', ms: 3 * TIMEOUT },
	),
);

const run = fc.record({
	faults: faultsOf(fault, { freq: 2, maxLength: 8 }),
	files: fc.array(fc.uint8Array({ maxLength: 3000 }), { minLength: 1, maxLength: 3 }),
	concurrency: fc.constantFrom<number>(1, 8),
	goesOn: fc.boolean(),
	maxRetries: fc.constantFrom<number>(0, 3),
});

it('A service can’t get a wrong file into an item', async () => {
	let right = 0;
	const check = async ({ faults, files, concurrency, goesOn, maxRetries }: Drawn) => {
		const { store } = service.sandbox;
		const { case_id } = store.createCase();
		const items = files.map((content, item) => {
			const file = { filename: `${item}.bin`, bytes: Buffer.from(content) };
			return { file: store.addActivity(case_id, 'FILE_ATTACHED', { file }).id };
		});
		const parameters = {
			...{ resource: 'file', operation: 'download', caseId: byId(case_id) },
			fileId: '={{ $json.file }}',
			options: { concurrency, maxRetries, timeout: TIMEOUT },
		};
		const { items: output } = await service.run(parameters, faults, {
			items,
			...(goesOn ? { onError: 'continueRegularOutput' as const } : {}),
		});
		for (const { json, binary } of output) {
			const place = items.findIndex(({ file }) => file === json.file_id);
			expect(binary === undefined).toBe(place === -1);
			if (binary === undefined) continue;
			expect(Buffer.from(binary.data.data, 'base64')).toEqual(Buffer.from(files[place]));
			right++;
		}
	};
	await fc.assert(fc.asyncProperty(run, check), { numRuns: RUNS });
	expect(right).toBeGreaterThan(RUNS / 10);
});

type Drawn = typeof run extends fc.Arbitrary<infer T> ? T : never;
