import * as fc from 'fast-check';

const PART = fc.string({
	unit: fc.constantFrom(..."aZ09-._~!$&'()*+,;=:@", '%20', '%2F', '%C3%A9', '%F0%9F%98%80'),
});

/** Addresses such as those of `fc.webUrl()`, which takes more than a second to be made in each file. */
export const webUrl = (ends: fc.Arbitrary<string> = fc.constant('')): fc.Arbitrary<string> =>
	fc
		.tuple(fc.constantFrom('http', 'https'), fc.webAuthority(), fc.array(PART), ends)
		.map(([scheme, authority, path, end]) =>
			[`${scheme}://${authority}`, ...path].join('/').concat(end),
		);

/** A query, a fragment, both or nothing, as an address may end. */
export const queryAndFragment: fc.Arbitrary<string> = fc
	.tuple(fc.option(PART, { nil: undefined }), fc.option(PART, { nil: undefined }))
	.map(([query, fragment]) =>
		[query === undefined ? '' : `?${query}`, fragment === undefined ? '' : `#${fragment}`].join(''),
	);
