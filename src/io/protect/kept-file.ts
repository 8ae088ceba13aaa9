import { type BigIntStats, mkdirSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { dirname } from 'node:path';
import * as z from 'zod/mini';
import { Restored } from '../../domain/records/iteration.ts';
import { sha256 } from '../ids.ts';
import { replaceFile, writeFileAtomic } from '../store/files/atomic-file.ts';
import { fileSignature, isSettledFile, lstatOrNull, readPlainFile } from '../store/files/plain-file.ts';
import type { Vault } from './vault.ts';

/**
 * Content in the vault; `null`: too large to be kept, or no plain file. `signature`: as long as it is the same, the
 * content is; `null` when the file was changed only just now, so that a second change might not show in its times.
 */
const Content = z.object({
  sha256: z.nullable(z.string()),
  mode: z.number(),
  signature: z.nullable(z.string()),
});

/** A protected path as it was before the agent started. `link`: the user's symlink, with the content it leads to. */
export const KeptFile = z.object({
  path: z.string(),
  kind: Restored.shape.kind,
  was: z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('absent') }),
    z.object({ kind: z.literal('file'), ...Content.shape }),
    z.object({ kind: z.literal('link'), target: z.string(), linked: z.nullable(Content) }),
    z.object({ kind: z.literal('other') }),
  ]),
});
export type KeptFile = z.infer<typeof KeptFile>;
type Content = z.infer<typeof Content>;

/** Up to this size a file's content is kept, in bytes; of larger ones it is only noticed that they changed. */
const KEPT_BYTES = 16 * 1024 * 1024;

/** Captures paths; a file that is as it was the last time isn't read again. */
export type Keeper = (path: string, kind: Restored['kind']) => KeptFile;

export function keeper(vault: Vault): Keeper {
  const known = new Map<string, Content>();
  const contentOf = (path: string, stat: BigIntStats): Content => {
    const signature = settledSignature(stat);
    const before = known.get(path);
    if (before !== undefined && signature !== null && before.signature === signature) return before;
    const file = readPlainFile(path, KEPT_BYTES);
    const hash = file.kind === 'file' ? vault.keep(file.bytes) : null;
    const content = { sha256: hash, mode: Number(stat.mode & 0o7777n), signature };
    known.set(path, content);
    return content;
  };
  return (path, kind) => {
    const stat = lstatOrNull(path);
    if (stat === null) return { path, kind, was: { kind: 'absent' } };
    if (stat.isFile()) return { path, kind, was: { kind: 'file', ...contentOf(path, stat) } };
    const now = readPlainFile(path);
    if (now.kind !== 'link') return { path, kind, was: { kind: 'other' } };
    const behind = linkedStat(path);
    const linked = behind === null ? null : contentOf(behind.path, behind.stat);
    return { path, kind, was: { kind: 'link', target: now.target, linked } };
  };
}

/** Hashes of the contents that these files need. */
export function contentsOf(files: readonly KeptFile[]): string[] {
  return files.flatMap(({ was }) => {
    const content = was.kind === 'link' ? was.linked : was.kind === 'file' ? was : null;
    return content?.sha256 ? [content.sha256] : [];
  });
}

/** What happened to a protected path; `null` when it is as it was. A changed mode counts. */
export function changeOf({ path, was }: KeptFile): Restored['change'] | null {
  const stat = lstatOrNull(path);
  if (was.kind === 'absent') return stat === null ? null : 'created';
  if (stat === null) return 'deleted';
  if (was.kind === 'file') return stat.isFile() && isSame(path, stat, was) ? null : 'modified';
  if (was.kind === 'other') return stat.isFile() || stat.isSymbolicLink() ? 'modified' : null;
  const now = readPlainFile(path);
  return now.kind === 'link' && now.target === was.target && isLinkedSame(path, was.linked)
    ? null
    : 'modified';
}

/** Makes a path what it was. What stood there must have been kept before. @throws The Node error, or StoreError. */
export function putBack({ path, was }: KeptFile, vault: Vault): void {
  if (was.kind === 'other') return;
  if (was.kind === 'absent') {
    rmSync(path, { recursive: true, force: true });
    return;
  }
  mkdirSync(dirname(path), { recursive: true });
  if (lstatOrNull(path)?.isDirectory()) rmSync(path, { recursive: true, force: true });
  if (was.kind === 'file') {
    if (was.sha256 !== null) replaceFile(path, vault.read(was.sha256), { mode: was.mode });
    return;
  }
  const now = readPlainFile(path);
  if (now.kind !== 'link' || now.target !== was.target) {
    rmSync(path, { force: true });
    symlinkSync(was.target, path);
  }
  if (was.linked?.sha256 && !isLinkedSame(path, was.linked))
    writeFileAtomic(path, vault.read(was.linked.sha256));
}

function isSame(path: string, stat: BigIntStats, was: Content): boolean {
  if (was.signature === fileSignature(stat)) return true;
  if (was.sha256 === null) return was.signature === null;
  if (Number(stat.mode & 0o7777n) !== was.mode) return false;
  const now = readPlainFile(path, KEPT_BYTES);
  return now.kind === 'file' && sha256(now.bytes) === was.sha256;
}

function isLinkedSame(path: string, was: Content | null): boolean {
  const behind = linkedStat(path);
  return behind === null || was === null ? behind === was : isSame(behind.path, behind.stat, was);
}

/** `null` when the link leads nowhere or to what isn't a plain file. */
export function linkedStat(path: string): { readonly path: string; readonly stat: BigIntStats } | null {
  try {
    const real = realpathSync.native(path);
    const stat = lstatOrNull(real);
    return stat?.isFile() ? { path: real, stat } : null;
  } catch {
    return null;
  }
}

function settledSignature(stat: BigIntStats): string | null {
  return isSettledFile(stat) ? fileSignature(stat) : null;
}
