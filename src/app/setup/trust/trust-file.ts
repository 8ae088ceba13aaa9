import { rmSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod/mini';
import { acquireLock, keepKey, readJson, readKey, replaceFile } from '../../../io/store/index.ts';
import { type Acceptance, acceptanceMac, isOwnAcceptance } from './own-acceptance.ts';

const Accepted = z.looseObject({
  /** SHA-256 of the canonical list of what runs. */
  sha256: z.string(),
  /** ISO 8601 UTC. */
  at: z.string(),
  /** What it was, for the screen: kind and name of each. */
  items: z.array(z.string()),
  /** Over the rest, with the key beside the file. */
  mac: z.string(),
});
type Accepted = z.infer<typeof Accepted>;

const TrustDocument = z.looseObject({ $schema: z.literal('ralph.trust.v1'), accepted: z.array(Accepted) });

/** The newest ones are kept: branches with gates of their own stay accepted, and so do tasks. */
const KEPT = 500;
/** How long a change waits for that of another process, in milliseconds. */
const LOCK_WAIT_MS = 2_000;

/**
 * What you accepted in this repository, newest last; a file that is missing or damaged accepts nothing.
 *
 * @returns `foreign`: entries that ralph didn't write, which accept nothing either.
 */
export function readAccepted(stateHome: string): {
  readonly accepted: readonly Accepted[];
  readonly foreign: readonly Accepted[];
} {
  try {
    const entries = readJson(trustPath(stateHome), TrustDocument)?.accepted ?? [];
    const key = readKey(stateHome);
    const isOwn = (entry: Accepted) => key !== null && isOwnAcceptance(key, entry);
    return { accepted: entries.filter(isOwn), foreign: entries.filter((entry) => !isOwn(entry)) };
  } catch {
    return { accepted: [], foreign: [] };
  }
}

/** @throws The Node error when the file cannot be written. */
export function addAccepted(stateHome: string, entry: Acceptance): void {
  const key = keepKey(stateHome, null);
  const path = trustPath(stateHome);
  const lock = acquireLock(`${path}.lock`, { waitMs: LOCK_WAIT_MS });
  try {
    const others = readAccepted(stateHome).accepted.filter(({ sha256 }) => sha256 !== entry.sha256);
    const document = {
      $schema: 'ralph.trust.v1',
      accepted: [...others, { ...entry, mac: acceptanceMac(key, entry) }].slice(-KEPT),
    };
    replaceFile(path, `${JSON.stringify(document, null, 2)}\n`, { mode: 0o600 });
  } finally {
    if (lock.ok) lock.release();
  }
}

/** Forgets everything that was accepted. @throws The Node error when the file cannot be removed. */
export function clearAccepted(stateHome: string): void {
  rmSync(trustPath(stateHome), { force: true });
}

function trustPath(stateHome: string): string {
  return join(stateHome, 'trust.json');
}

/** `RALPH_TRUST=1` accepts for this process alone. */
export function trustedByEnvironment(): boolean {
  return /^(1|true|yes|on)$/i.test(process.env.RALPH_TRUST?.trim() ?? '');
}
