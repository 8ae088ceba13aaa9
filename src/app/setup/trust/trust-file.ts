import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod/mini';
import { acquireLock, readFileBytes, writeFileAtomic } from '../../../io/store/index.ts';

const Accepted = z.looseObject({
  /** SHA-256 of the canonical list of what runs. */
  sha256: z.string(),
  /** ISO 8601 UTC. */
  at: z.string(),
  /** What it was, for the screen: kind and name of each. */
  items: z.array(z.string()),
});
export type Accepted = z.infer<typeof Accepted>;

const TrustDocument = z.looseObject({ $schema: z.literal('ralph.trust.v1'), accepted: z.array(Accepted) });

/** The newest ones are kept: branches with gates of their own stay accepted, and so do tasks. */
const KEPT = 500;
/** How long a change waits for that of another process, in milliseconds. */
const LOCK_WAIT_MS = 2_000;

/** What you accepted in this repository, newest last; a file that is missing or damaged accepts nothing. */
export function readAccepted(stateHome: string): Accepted[] {
  try {
    const document = TrustDocument.safeParse(
      JSON.parse(readFileBytes(trustPath(stateHome)).toString('utf8')),
    );
    return document.success ? document.data.accepted : [];
  } catch {
    return [];
  }
}

/** @throws The Node error when the file cannot be written. */
export function addAccepted(stateHome: string, entry: Accepted): void {
  mkdirSync(stateHome, { recursive: true, mode: 0o700 });
  const path = trustPath(stateHome);
  const lock = acquireLock(`${path}.lock`, { waitMs: LOCK_WAIT_MS });
  try {
    const others = readAccepted(stateHome).filter(({ sha256 }) => sha256 !== entry.sha256);
    const document = { $schema: 'ralph.trust.v1', accepted: [...others, entry].slice(-KEPT) };
    writeFileAtomic(path, `${JSON.stringify(document, null, 2)}\n`, { mode: 0o600 });
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
