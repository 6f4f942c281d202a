import fc from 'fast-check';
import { parseCaseLocator } from '../../nodes/Cases/fields/caseLocator';
import { parseId } from '../../nodes/Cases/fields/values';
import { expectRefused, outcomeOf } from '../support/refusal';
import { PROPERTY_TIMES } from '../support/propertyTimes';

const TENANT = 'https://acme.example.com/tenant-a';

describe('an ID', () => {
	it.each<[unknown, string]>([
		[7, '7'],
		[' 4711\n', '4711'],
		['007', '7'],
		[' #0500 ', '500'],
		['9007199254740991', '9007199254740991'],
	])('%j is %s', (value, expected) => {
		expect(parseId(value, 'case ID')).toBe(expected);
	});

	it.each<[unknown]>([[''], [' '], [undefined], [null]])('%j was not given', (value) => {
		expectRefused(
			() => parseId(value, 'team ID'),
			/^No team ID was given$/,
			/Enter the team ID, a whole number such as 4711/,
		);
	});

	it.each<unknown>([
		...['0', -1, 1.5, NaN, '1e3', '0x10', '4711; 4712', '１２', true, { id: 7 }, [7]],
		...['#', '##5', '# 5', '#500 Port scan', '1/../../users/9?x='],
		// More than JSON numbers can tell from the next ones.
		'9007199254740992',
	])('%j is refused', (value) => {
		expectRefused(
			() => parseId(value, 'case ID'),
			/^".*" is not a case ID$/,
			/positive whole number such as 4711/,
		);
	});
});

describe('the address of a case', () => {
	it.each([
		['https://acme.example.com/tenant-a/cases/4711', '4711'],
		['https://acme.example.com/tenant-a/cases/4711?tab=actions#top', '4711'],
		['https://acme.example.com/tenant-a/api/v2/cases/4711/comments', '4711'],
		['https://acme.example.com/tenant-a/api/v12/cases/4711', '4711'],
		['https://acme.example.com/tenant-a/teams/3/cases/4711/comments/9', '4711'],
		[' https://ACME.example.com/tenant-a/cases/4711/ ', '4711'],
		['http://acme.example.com/tenant-a/cases/4711', '4711'],
	])('%s is that of %s', (address, expected) => {
		expect(parseCaseLocator(address, TENANT)).toBe(expected);
	});

	it.each<[unknown]>([
		['https://acme.example.com/cases'],
		['https://acme.example.com/cases/47a11'],
		['https://acme.example.com/?next=/cases/4711'],
		['https://acme.example.com/tenant-a/cases/12/linked/cases/2'],
		['https://acme.example.com/cases/7/cases/5'],
	])('%j is refused', (value) => {
		expectRefused(
			() => parseCaseLocator(value, TENANT),
			/^".*" is not the address of a case$/,
			/for example https:\/\/acme\.example\.com\/tenant-a\/cases\/4711, or enter the ID of the case/,
		);
	});

	it.each([
		['https://other.example.com/tenant-a/cases/4711', 'other.example.com/tenant-a'],
		['https://acme.example.com/tenant-b/cases/4711', 'acme.example.com/tenant-b'],
		['https://acme.example.com/cases/4711', 'acme.example.com'],
		['https://acme.example.com/tenant-a/nested/cases/4711', 'acme.example.com/tenant-a/nested'],
		['https://acme.example.com:8443/cases/4711', 'acme.example.com:8443'],
		['https://acme.example.com.evil.example/cases/4711', 'acme.example.com.evil.example'],
		['https://acme.example.com@evil.example/cases/4711', 'evil.example'],
	])('%s belongs to another tenant', (address, host) => {
		expectRefused(
			() => parseCaseLocator(address, TENANT),
			`The case address belongs to ${host}, but the credential to acme.example.com/tenant-a`,
			`Use the credential for ${host}. If you mean case 4711 of this tenant, enter 4711.`,
		);
		expectRefused(
			() => parseCaseLocator({ mode: 'id', value: address }, TENANT),
			`The case address belongs to ${host}`,
			`enter 4711`,
		);
	});

	it.each([
		['https://acme.example.com/api/v2/globex/cases/5', 'acme.example.com/api/v2/globex'],
		['https://acme.example.com/team/1/globex/cases/5', 'acme.example.com/team/1/globex'],
	])('%s belongs to no tenant without a path', (address, other) => {
		expectRefused(
			() => parseCaseLocator(address, 'https://acme.example.com'),
			`The case address belongs to ${other}`,
			/^Case IDs differ between tenants/,
		);
	});

	it('of thousands of characters is refused without a long search', () => {
		expectRefused(
			() => parseCaseLocator(`${TENANT}${'/cases/1'.repeat(1_000_000)}`, TENANT),
			/is not the address of a case$/,
			/or enter the ID/,
		);
	});

	it('with case 0 is refused', () => {
		expectRefused(
			() => parseCaseLocator(`${TENANT}/cases/0`, TENANT),
			/"0" is not a case ID/,
			/positive whole number/,
		);
	});
});

// That any value is refused or an ID is tested in test/api/hostile.test.ts.
describe('a case locator', () => {
	it.each<[string, unknown]>([
		['a choice from the list', { __rl: true, mode: 'list', value: '4711' }],
		['an ID as a number', { mode: 'id', value: 4711 }],
		['an address', { mode: 'url', value: `${TENANT}/cases/4711` }],
		['an ID under By URL', { mode: 'url', value: '4711' }],
		['an address under By ID', { mode: 'id', value: ` ${TENANT}/cases/4711?a=b c` }],
		['a bare address', `${TENANT}/cases/4711`],
		['a bare number', 4711],
		['a bare text', '4711'],
	])('may be %s', (_name, value) => {
		expect(parseCaseLocator(value, TENANT)).toBe('4711');
	});

	it.each<[unknown]>([[{ mode: 'list', value: '' }], [{ mode: 'id' }], [undefined], [null]])(
		'%j names no case',
		(value) => {
			expectRefused(
				() => parseCaseLocator(value, TENANT),
				/^No case ID was given$/,
				/Enter the case ID/,
			);
		},
	);

	it('of any address is a case of the tenant, or refused', () => {
		const host = fc.constantFrom('acme.example.com', 'acme.example.com:8443', 'other.example.com');
		const segment = fc.constantFrom('globex', 'tenant-a', 'tenant-b', 'v1');
		const path = fc
			.array(segment, { maxLength: 2 })
			.map((segments) => segments.map((one) => `/${one}`).join(''));
		const tenants = fc.tuple(host, path).map((parts) => parts.join(''));
		const page = fc.constantFrom('', '/api/v2', '/team/3', '/teams/3');
		const id = fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER });
		const pair = tenants.chain((own) =>
			fc.tuple(fc.constant(own), fc.oneof(fc.constant(own), tenants)),
		);
		fc.assert(
			fc.property(pair, page, id, ([own, other], before, caseId) => {
				const value = `https://${other}${before}/cases/${caseId}`;
				const outcome = outcomeOf(() => parseCaseLocator({ mode: 'url', value }, `https://${own}`));
				if (other === own) expect(outcome).toEqual({ value: String(caseId) });
				else expect('refusal' in outcome).toBe(true);
			}),
			{ numRuns: 150 * PROPERTY_TIMES },
		);
	});
});
