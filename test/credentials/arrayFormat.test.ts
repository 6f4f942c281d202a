import { failureOf, idsOf } from '../support/runs';
import { useService } from '../support/service';

const sorted = (ids: unknown[]) => [...ids].map(Number).sort((a, b) => a - b);

/** A list of texts, of users and of IDs, and how each format writes their names. */
const LISTS: Array<[filter: string, values: string[]]> = [
	['or_tags', ['malware', 'r&d']],
	['assignees', ['1', '2']],
	['case_ids', ['7', '9']],
];
const SUFFIXES = {
	brackets: ['[]', '[]'],
	indices: ['[0]', '[1]'],
	repeat: ['', ''],
};

describe.each(['brackets', 'indices', 'repeat', 'comma'] as const)(
	'With the list format %s, a service that wants it',
	(arrayFormat) => {
		// A strict service refuses every other form, which fails the test.
		const service = useService({ cases: 120, arrayFormat });
		const credential = { arrayFormat };

		test.each(LISTS)('gets the filter %s in this format', async (name, values) => {
			await service.run({ filters: { [name]: values }, limit: 50 }, { credential });
			const pairs = service.sandbox.requests[0].queryString
				.split('&')
				.map((pair) => pair.split('=').map(decodeURIComponent))
				.filter(([key]) => key.startsWith('filters'));
			expect(pairs).toEqual(
				arrayFormat === 'comma'
					? [[`filters[${name}]`, values.join(',')]]
					: values.map((value, index) => [
							`filters[${name}]${SUFFIXES[arrayFormat][index]}`,
							value,
						]),
			);
		});

		it('understands metadata, several filters at once, and finds the right cases', async () => {
			const { store } = service.sandbox;
			const filters = {
				or_tags: ['malware', 'phishing'],
				assignees: ['1', '2', '3'],
				metadata: { pair: [{ key: 'region', value: 'emea' }] },
			};
			const run = await service.run({ filters, returnAll: true }, { credential });
			const expected = [...store.cases()]
				.filter(
					({ tags, assignees, metadata }) =>
						tags.some(({ name }) => name === 'malware' || name === 'phishing') &&
						assignees.some(({ user_id }) => user_id <= 3) &&
						metadata.region === 'emea',
				)
				.map(({ case_id }) => case_id);
			expect(expected.length).toBeGreaterThan(0);
			expect(sorted(idsOf(run))).toEqual(sorted(expected));
		});
	},
);

describe('The list format comma', () => {
	const service = useService({ cases: 10, arrayFormat: 'comma' });

	it('refuses a value with a comma, because the service would split it', async () => {
		const run = await service.run(
			{ filters: { tags: ['vip, finance'] } },
			{ credential: { arrayFormat: 'comma' } },
		);
		expect(failureOf(run)).toMatchObject({
			message: expect.stringContaining('"vip, finance" contains a comma'),
			description: expect.stringContaining("choose another 'List Format in Requests'"),
			item: 0,
		});
		expect(service.sandbox.requests).toEqual([]);
	});
});
