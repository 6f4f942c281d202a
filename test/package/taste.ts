/**
 * For checks of taste. What they find keeps a change from landing: `.ci/run` sets TASTE=fail. Elsewhere it is a warning,
 * so that nobody's first pull request is red because of a word.
 */
export function expectTasteful(findings: string[]): void {
	if (process.env.TASTE === 'fail') expect(findings).toEqual([]);
	else if (findings.length > 0) console.warn(['Before this lands:', ...findings].join('\n'));
}
