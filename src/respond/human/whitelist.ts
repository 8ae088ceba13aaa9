import type { WhitelistEntry } from '../../domain/human/gate.ts';

const DAY_MS = 86_400_000;
/** Days after which you have to confirm an entry again. @see docs/HUMAN_GATES.md*/
const VALID_DAYS = 90;

/** Returns the entry that allows a finding; `null`: the finding counts. Expired entries allow nothing. */
export function whitelistedBy(
  entries: readonly WhitelistEntry[],
  finding: { readonly pattern: string; readonly path: string },
  now: string,
): WhitelistEntry | null {
  const isFor = ({ pattern, path, expiresAt }: WhitelistEntry) =>
    pattern === finding.pattern && (path === null || path === finding.path) && !isExpired(expiresAt, now);
  return entries.find(isFor) ?? null;
}

function isExpired(expiresAt: string, now: string): boolean {
  return !(Date.parse(now) < Date.parse(expiresAt));
}

export function expiryAfter(now: string): string {
  return new Date(Date.parse(now) + VALID_DAYS * DAY_MS).toISOString();
}

export function expired(entries: readonly WhitelistEntry[], now: string): WhitelistEntry[] {
  return entries.filter(({ expiresAt }) => isExpired(expiresAt, now));
}
