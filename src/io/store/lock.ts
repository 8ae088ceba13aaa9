import { createHash, randomBytes } from 'node:crypto';
import { linkSync, readdirSync, renameSync, unlinkSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { basename, dirname, join } from 'node:path';
import * as z from 'zod/mini';
import { temporaryName } from './atomic-file.ts';
import { fileSignature, lstatOrNull, readPlainFile } from './plain-file.ts';
import { processState } from './process-identity.ts';
import { orStoreError } from './store-error.ts';

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
      /** Who left it behind; `null` when nobody did or the file was unreadable. */
      readonly previous: LockHolder | null;
    }
  /** `holder` is `null` when the lock changed hands too fast to see. */
  | { readonly ok: false; readonly holder: LockHolder | null };

export type LockOptions = {
  /** How long to wait for a holder that is alive, in milliseconds; 0: not at all. */
  readonly waitMs: number;
  readonly host?: string;
  readonly run?: string;
  /**
   * The file under its private name stays for the next time, until this process ends: for one that takes the lock many
   * times. Where files come and go each new one is slow: ext4 passes over what was deleted lately, one by one.
   */
  readonly keep?: boolean;
};

const TAKE = '.take-';
/** A lock file is some 200 bytes; what is larger was not written by ralph. */
const MAX_LOCK_BYTES = 65_536;
/** Pause between two looks at a lock that is held, in milliseconds; a random share of it spreads the waiters. */
const PAUSE_MS = 4;

/**
 * Takes a lock file: complete content under a private name, then `link()`, which only one process can win.
 *
 * The lock of a dead process is taken over with a proof: a claim whose name holds the hash of exactly that lock file
 * is itself taken as a lock; under it the file is looked at again and replaced by a rename. Nobody else may remove
 * that file, so there is one winner; a claim whose owner died is taken over in the same way. (Measured: a plain
 * unlink of a stale lock breaks 5 of 25 races, this none.) A holder on another host counts as alive.
 *
 * @throws The Node error when the folder cannot be written or has no hard links.
 */
export function acquireLock(path: string, options: LockOptions): LockResult {
  const host = options.host ?? hostname();
  const own = ownFile(path, host, options);
  const { temporary, content } = own;
  let signature: string | null = null;
  const release = () => {
    releaseLock(path, content, signature);
    if (options.keep) keepFile(path, own);
  };
  const taken = { ok: true, release } as const;
  try {
    const deadline = performance.now() + options.waitMs;
    for (;;) {
      if (tryLink(temporary, path)) return { ...taken, tookOver: false, previous: null };
      const seen = readLock(path);
      if (seen !== null && isStale(seen.holder, host)) {
        if (takeOver(path, seen.content, temporary, host)) {
          removeOldClaims(path, host);
          return { ...taken, tookOver: true, previous: seen.holder };
        }
      } else if (seen !== null && performance.now() >= deadline) {
        return { ok: false, holder: seen.holder };
      }
      if (performance.now() >= deadline + 10_000) return { ok: false, holder: seen?.holder ?? null };
      pause(1 + Math.random() * PAUSE_MS);
    }
  } finally {
    if (options.keep) keepFile(path, own);
    else remove(temporary);
    signature = signatureOf(path);
  }
}

/** The complete lock file under its private name. */
type OwnFile = { readonly temporary: string; readonly content: string };

/** Files that are kept, by the path of their lock, with their signature as this process left them. */
const kept = new Map<string, OwnFile & { readonly signature: string }>();
let removedAtExit = false;

/** The one that was kept and that nobody has touched since, else a new one. */
function ownFile(path: string, host: string, { keep, run }: LockOptions): OwnFile {
  const known = kept.get(path);
  if (keep && known !== undefined && signatureOf(known.temporary) === known.signature) return known;
  if (known !== undefined) remove(known.temporary);
  kept.delete(path);
  const holder: LockHolder = {
    pid: process.pid,
    startTime: ownStartTime(),
    host,
    token: randomBytes(8).toString('hex'),
    run: run ?? null,
  };
  const own = {
    temporary: join(dirname(path), temporaryName(basename(path))),
    content: `${JSON.stringify(holder)}\n`,
  };
  try {
    writeFileSync(own.temporary, own.content, { flag: 'wx', mode: 0o600 });
  } catch (error) {
    remove(own.temporary);
    throw error;
  }
  return own;
}

/** Every link and every removal of one changes the signature of the file. */
function keepFile(path: string, own: OwnFile): void {
  const signature = signatureOf(own.temporary);
  if (signature === null) {
    kept.delete(path);
    return;
  }
  kept.set(path, { ...own, signature });
  if (removedAtExit) return;
  removedAtExit = true;
  process.once('exit', () => {
    for (const { temporary } of kept.values()) remove(temporary);
  });
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

/** Who holds a lock and is alive; `null` when it is free or left behind. */
export function liveHolder(path: string, host: string): LockHolder | null {
  const seen = readLock(path);
  return seen === null || isStale(seen.holder, host) ? null : seen.holder;
}

let knownStartTime: string | null | undefined;

/** It never changes, and `/proc` costs more than the lock. */
function ownStartTime(): string | null {
  if (knownStartTime === undefined) {
    const state = processState(process.pid);
    knownStartTime = state.kind === 'alive' ? state.startTime : null;
  }
  return knownStartTime;
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
 * `null`: there is no lock. A holder of `null`: what is there is damaged or no plain file, so nobody can claim it. A
 * folder cannot be replaced: that is a system error, EISDIR.
 */
function readLock(path: string): SeenLock | null {
  const file = readPlainFile(path, MAX_LOCK_BYTES);
  if (file.kind === 'absent') return null;
  if (file.kind === 'link') return { content: `link to ${file.target}`, holder: null };
  if (file.kind === 'other') return { content: file.what, holder: null };
  const content = file.bytes.toString('utf8');
  try {
    const holder = LockHolder.safeParse(JSON.parse(content));
    return { content, holder: holder.success ? holder.data : null };
  } catch {
    return { content, holder: null };
  }
}

function isStale(holder: LockHolder | null, host: string): boolean {
  if (holder === null) return true;
  if (holder.host !== host) return false;
  const state = processState(holder.pid);
  if (state.kind === 'gone') return true;
  return holder.startTime !== null && state.startTime !== null && holder.startTime !== state.startTime;
}

function takeOver(path: string, stale: string, temporary: string, host: string): boolean {
  const identity = createHash('sha256').update(stale).digest('hex').slice(0, 16);
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

/** Only the own lock goes: known by its signature at the taking, else (touched since) by its content. */
function releaseLock(path: string, content: string, signature: string | null): void {
  const isOwn = signature !== null && signatureOf(path) === signature;
  if (isOwn || readLock(path)?.content === content) remove(path);
}

function signatureOf(path: string): string | null {
  const stat = lstatOrNull(path);
  return stat === null ? null : fileSignature(stat);
}

function remove(path: string): void {
  try {
    unlinkSync(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
}

function pause(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}
