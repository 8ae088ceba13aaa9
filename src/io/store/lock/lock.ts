import { randomUUID } from 'node:crypto';
import { linkSync, readdirSync, renameSync, unlinkSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import * as z from 'zod/mini';
import { StoreError } from '../../../domain/ports.ts';
import { parseJson } from '../../../lib/parse-json.ts';
import { isBoxedOff } from '../../box/notes.ts';
import { temporaryName } from '../../files/atomic-file.ts';
import { readPlainFile } from '../../files/plain-file.ts';
import { proveFolder } from '../../files/proven-folder.ts';
import { isSystemError, orStoreError } from '../../files/store-error.ts';
import { sha256 } from '../../ids.ts';
import { isAlive, ownStartTime } from '../../programs/table/process-identity.ts';
import { removeFolderInPlace } from './folder-in-place.ts';

/** Who holds a lock: the content of the lock file. */
export const LockHolder = z.looseObject({
  pid: z.number(),
  startTime: z.nullable(z.string()),
  host: z.string(),
  token: z.string(),
  /** Set in `run.lock`. */
  run: z.nullable(z.string()),
});
export type LockHolder = z.infer<typeof LockHolder>;

export type LockResult =
  | {
      readonly ok: true;
      readonly release: () => void;
      /** True when the lock was left behind by a process that no longer exists. */
      readonly tookOver: boolean;
      /** Who left it behind; `null` when no process did or the file was unreadable. */
      readonly previous: LockHolder | null;
    }
  /** `holder` is `null` when the lock changed hands too fast to see. */
  | { readonly ok: false; readonly holder: LockHolder | null };

export type LockOptions = {
  /** How long to wait for a holder that is alive, in milliseconds; 0: not at all. */
  readonly waitMs: number;
  readonly host?: string;
  readonly run?: string;
};

const TAKE = '.take-';
/** A lock file is some 200 bytes; what is larger was not written by ralph. */
const MAX_LOCK_BYTES = 65_536;
/** Pause between two checks of a lock that is held, in milliseconds; a random share of it spreads the waiters. */
const PAUSE_MS = 4;
/** The same where other work continues meanwhile. */
const FREE_PAUSE_MS = 20;

/**
 * Takes a lock file: complete content under a private name, then `link()`, which only one process can win.
 *
 * The lock of a dead process is taken over with a proof: a claim whose name holds the hash of exactly that lock file
 * is itself taken as a lock; under it the file is checked again and replaced by a rename. No other process may remove
 * that file, so there is one winner; a claim whose owner died is taken over in the same way. (Measured: a plain
 * unlink of a stale lock breaks 5 of 25 races, this none.) A holder on another host counts as alive.
 *
 * @throws The Node error when the folder cannot be written or has no hard links; StoreError where something with
 *   content stands in the place of the lock or of its folder.
 */
export function acquireLock(path: string, options: LockOptions): LockResult {
  proveFolder(dirname(path), 0o777);
  const host = options.host ?? hostname();
  const token = randomUUID();
  const own: LockHolder = {
    ...{ pid: process.pid, startTime: ownStartTime(), host, token, run: options.run ?? null },
  };
  const temporary = join(dirname(path), temporaryName(basename(path)));
  const content = `${JSON.stringify(own)}\n`;
  const release = () => {
    held.delete(content);
    // Only the own lock goes. One that can't be reached any more is left behind, and found to be that.
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
      if (tryLink(temporary, path)) {
        held.add(content);
        return { ...taken, tookOver: false, previous: null };
      }
      removeFolderInPlace(path);
      const seen = readLock(path);
      if (seen !== null && (isStale(seen.holder, host) || isLeftByUs(seen))) {
        if (takeOver(path, seen.content, temporary, host)) {
          held.add(content);
          removeOldClaims(path, host);
          return { ...taken, tookOver: true, previous: seen.holder };
        }
      } else if (seen !== null && performance.now() >= deadline) {
        return { ok: false, holder: seen.holder };
      }
      if (performance.now() >= deadline + 10_000) return { ok: false, holder: seen?.holder ?? null };
      const ms = 1 + Math.random() * PAUSE_MS;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
    }
  } finally {
    remove(temporary);
  }
}

const held = new Set<string>();

/** A lock of this process that it doesn't hold: its folder couldn't be written when it was released. */
function isLeftByUs({ content, holder }: SeenLock): boolean {
  return holder?.pid === process.pid && holder.startTime === ownStartTime() && !held.has(content);
}

/** The lock of a whole run, `.ralph/run.lock`: never waits. @throws StoreError */
export function acquireRunLock(
  path: string,
  options: { readonly run: string; readonly host: string },
): LockResult {
  return orStoreError('.ralph/run.lock cannot be written', () =>
    acquireLock(path, { waitMs: 0, ...options }),
  );
}

/** Who holds a lock and is alive; `null` when it is free or left behind. From inside of its box, a run is alive. */
export function liveHolder(path: string, host: string): LockHolder | null {
  const seen = readLock(path);
  if (seen === null || (isStale(seen.holder, host) && !isBoxedOff(dirname(path)))) return null;
  return seen.holder;
}

/**
 * Waits until no other live process holds a lock, without taking it: signals are heard meanwhile. `null` once it is
 * free, else who still holds it after so long.
 */
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

/**
 * Who holds a lock and is alive here, whatever host it names: a process can give its machine another name.
 * Never throws.
 */
export function holderHere(path: string): LockHolder | null {
  try {
    const holder = readLock(path)?.holder ?? null;
    return isStale(holder, holder?.host ?? '') ? null : holder;
  } catch {
    return null;
  }
}

function tryLink(from: string, to: string): boolean {
  try {
    linkSync(from, to);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

type SeenLock = { readonly content: string; readonly holder: LockHolder | null };

/**
 * `null`: there is no lock. A holder of `null`: what is there is damaged or not a plain file, so no process can claim it.
 */
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

/**
 * Claims whose owner died between its rename and its release. They name lock files that can never come back, so
 * nothing depends on them.
 */
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
