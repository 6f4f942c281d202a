/** One case and how many others, for a line that stays short however many there are. */
export function nameFirst(identities: string[]): string {
	const others = identities.length - 1;
	const more = others === 0 ? '' : ` and ${others} ${others === 1 ? 'other' : 'others'}`;
	return `${nameInLog(identities[0])}${more}`;
}

/** A case as the log names it. Where it has no ID, its identity is its whole content, which the log never holds. */
export function nameInLog(identity: string): string {
	return /^[\w-]{1,40}$/.test(identity) ? identity : 'without an ID';
}
