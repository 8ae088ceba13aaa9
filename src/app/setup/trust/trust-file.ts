import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { replaceFile } from 'ralph-kit/files/atomic-file';
import { readJson } from 'ralph-kit/files/plain-file';
import * as z from 'zod/mini';
import { acquireLock, keepKey, readKey } from '../../../store/index.ts';
import { type Acceptance, acceptanceMac, isOwnAcceptance } from './own-acceptance.ts';

const Accepted = z.looseObject({
  /** SHA-256 of the items in their canonical form. */
  sha256: z.string(),
  /** Time of the approval, ISO 8601 UTC. */
  at: z.string(),
  /** Kind and name of each item, for display. */
  items: z.array(z.string()),
  /** Authentication code over the other fields, by the key beside the file. */
  mac: z.string(),
});
type Accepted = z.infer<typeof Accepted>;

const TrustDocument = z.looseObject({ $schema: z.literal('ralph.trust.v1'), accepted: z.array(Accepted) });

/** Number of newest approvals that are kept: enough for branches with gates of their own, and for tasks. */
const KEPT = 500;
const LOCK_WAIT_MS = 2_000;

/**
 * Returns approvals, newest last. Damaged files approve nothing, and neither do entries that ralph didn't write
 * (`foreign`).
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

/** Adds an approval. @throws The Node error if the file can't be written. */
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

/** Removes all approvals. @throws The Node error if the file can't be removed. */
export function clearAccepted(stateHome: string): void {
  rmSync(trustPath(stateHome), { force: true });
}

function trustPath(stateHome: string): string {
  return join(stateHome, 'trust.json');
}

/** Returns whether `RALPH_TRUST=1` approves everything, for this process only. */
export function trustedByEnvironment(): boolean {
  return /^(1|true|yes|on)$/i.test(process.env.RALPH_TRUST?.trim() ?? '');
}
