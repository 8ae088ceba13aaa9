import { randomUUID } from 'node:crypto';
import { readdirSync, renameSync, unlinkSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { isBoxedOff } from 'ralph-box/notes';
import { linkNew, temporaryName } from 'ralph-kit/files/atomic-file';
import { readPlainFile } from 'ralph-kit/files/plain-file';
import { proveFolder } from 'ralph-kit/files/proven-folder';
import { sha256 } from 'ralph-kit/files/sha256';
import { isSystemError, orStoreError } from 'ralph-kit/files/store-error';
import { parseJson } from 'ralph-kit/parse-json';
import { isAlive, ownStartTime } from 'ralph-kit/programs/table/process-identity';
import * as z from 'zod/mini';
import { StoreError } from '../../domain/ports.ts';
import { removeFolderInPlace } from './folder-in-place.ts';

export const LockHolder = z.looseObject({
  pid: z.number(),
  startTime: z.nullable(z.string()),
  host: z.string(),
  token: z.string(),
  /** Id of the run that holds the lock; `null` in every lock but `run.lock`. */
  run: z.nullable(z.string()),
});
export type LockHolder = z.infer<typeof LockHolder>;

export type LockResult =
  | {
      readonly ok: true;
      readonly release: () => void;
      /** Whether the lock was left by a process that no longer exists. */
      readonly tookOver: boolean;
      /** Holder that left the lock; `null` without one, or when unreadable. */
      readonly previous: LockHolder | null;
    }
  /** `holder` is `null` when the lock changed hands too fast to be seen. */
  | { readonly ok: false; readonly holder: LockHolder | null };

export type LockOptions = {
  /** Time to wait for a living holder, in milliseconds; 0: none. */
  readonly waitMs: number;
  readonly host?: string;
  readonly run?: string;
};

const TAKE = '.take-';
/** Lock files have about 200 bytes; larger ones aren't ralph's. */
const MAX_LOCK_BYTES = 65_536;
/** Pause between checks of a lock, in milliseconds, with a random share that spreads waiting processes. */
const PAUSE_MS = 4;
/** Pause between checks while other work continues, in milliseconds. */
const FREE_PAUSE_MS = 20;

/**
 * Takes a lock file: complete content under a private name, then `link()`, which only one process can win.
 *
 * A dead process's lock is taken over through a claim: a lock whose name has the hash of exactly that lock file.
 * Under it the file is checked again and replaced by a rename. No other process may remove the file, so one wins; a
 * dead owner's claim is taken over alike. (Measured: a plain unlink of a stale lock breaks 5 of 25 races, this none.)
 * A holder on another host counts as alive.
 * @throws The Node error when the folder can't be written or has no hard links; StoreError when something else is in
 * place of the lock or its folder.
 */
export function acquireLock(path: string, options: LockOptions): LockResult {
  proveFolder(dirname(path), 0o777);
  const host = options.host ?? hostname();
  const token = randomUUID();
  const own: LockHolder = {
    pid: process.pid,
    startTime: ownStartTime(),
    host,
    token,
    run: options.run ?? null,
  };
  const temporary = join(dirname(path), temporaryName(basename(path)));
  const content = `${JSON.stringify(own)}\n`;
  const release = () => {
    held.delete(content);
    // Only the own lock is removed. An unreachable one is later found to be stale.
    try {
      proveFolder(dirname(path));
      if (readLock(path)?.content === content) remove(path);
    } catch (error) {
      if (!(error instanceof StoreError) && !isSystemError(error)) throw error;
    }
  };
  const taken = { ok: true, release } as const;
  try {
    writeFileSync(temporary, content, { flag: 'wx', mode: 0o600 });
    const deadline = performance.now() + options.waitMs;
    for (;;) {
      if (linkNew(temporary, path)) {
        held.add(content);
        return { ...taken, tookOver: false, previous: null };
      }
      removeFolderInPlace(path);
      const holder = readLock(path);
      if (holder !== null && (isStale(holder.holder, host) || isLeftByUs(holder))) {
        if (takeOver(path, holder.content, temporary, host)) {
          held.add(content);
          removeOldClaims(path, host);
          return { ...taken, tookOver: true, previous: holder.holder };
        }
      } else if (holder !== null && performance.now() >= deadline) {
        return { ok: false, holder: holder.holder };
      }
      if (performance.now() >= deadline + 10_000) return { ok: false, holder: holder?.holder ?? null };
      const ms = 1 + Math.random() * PAUSE_MS;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
    }
  } finally {
    remove(temporary);
  }
}

const held = new Set<string>();

/** A lock of this process that wasn't removed because its folder was unwritable at the release. */
function isLeftByUs({ content, holder }: SeenLock): boolean {
  return holder?.pid === process.pid && holder.startTime === ownStartTime() && !held.has(content);
}

/** Takes the lock of a whole run without waiting. @throws StoreError */
export function acquireRunLock(
  path: string,
  options: { readonly run: string; readonly host: string },
): LockResult {
  return orStoreError('.ralph/run.lock cannot be written', () =>
    acquireLock(path, { waitMs: 0, ...options }),
  );
}

/** Returns a lock's living holder; `null` when free or stale. Inside its box, a run counts as alive. */
export function liveHolder(path: string, host: string): LockHolder | null {
  const seen = readLock(path);
  if (seen === null || (isStale(seen.holder, host) && !isBoxedOff(dirname(path)))) return null;
  return seen.holder;
}

/** Waits without taking the lock, and handles signals; returns the holder after the time limit, else `null`. */
export async function untilFree(
  path: string,
  { waitMs, host }: { readonly waitMs: number; readonly host: string },
): Promise<LockHolder | null> {
  const deadline = performance.now() + waitMs;
  for (;;) {
    const seen = readLock(path);
    if (seen === null || isStale(seen.holder, host) || isLeftByUs(seen)) return null;
    if (performance.now() >= deadline) return seen.holder;
    await setTimeout(FREE_PAUSE_MS);
  }
}

/** Returns a holder alive on this machine, whatever host it names, as a machine's name may change. Never throws. */
export function localHolder(path: string): LockHolder | null {
  try {
    const holder = readLock(path)?.holder ?? null;
    return isStale(holder, holder?.host ?? '') ? null : holder;
  } catch {
    return null;
  }
}

type SeenLock = { readonly content: string; readonly holder: LockHolder | null };

/** `null` without a lock. A `null` holder: damaged or not a plain file, so no process can own it. */
function readLock(path: string): SeenLock | null {
  const file = readPlainFile(path, MAX_LOCK_BYTES);
  if (file.kind === 'absent') return null;
  if (file.kind === 'link') return { content: `link to ${file.target}`, holder: null };
  if (file.kind === 'other') return { content: file.what, holder: null };
  const content = file.bytes.toString('utf8');
  return { content, holder: parseJson(content, LockHolder) };
}

function isStale(holder: LockHolder | null, host: string): boolean {
  if (holder === null) return true;
  if (holder.host !== host) return false;
  return !isAlive(holder.pid, holder.startTime);
}

function takeOver(path: string, stale: string, temporary: string, host: string): boolean {
  const identity = sha256(stale).slice(0, 16);
  const claim = acquireLock(`${path}${TAKE}${identity}`, { waitMs: 0, host });
  if (!claim.ok) return false;
  try {
    if (readLock(path)?.content !== stale) return false;
    renameSync(temporary, path);
    return true;
  } finally {
    claim.release();
  }
}

/** Claims of processes that died before their release name lock files that can't return, so nothing depends on them. */
function removeOldClaims(path: string, host: string): void {
  if (basename(path).includes(TAKE)) return;
  const prefix = `${basename(path)}${TAKE}`;
  for (const name of readdirSync(dirname(path))) {
    const claim = join(dirname(path), name);
    if (name.startsWith(prefix) && liveHolder(claim, host) === null) remove(claim);
  }
}

function remove(path: string): void {
  try {
    unlinkSync(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
}
