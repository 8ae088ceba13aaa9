import { existsSync, lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod/mini';
import { namesIn } from '../../names-in.ts';
import { type Keeper, KeptFile } from '../../protect/kept-file.ts';
import type { Vault } from '../../protect/vault.ts';
import { fileSignature, lstatOrNull, readPlainFile } from '../../store/files/plain-file.ts';
import { objectGit } from '../call/git.ts';
import type { WorkTree } from '../repository/work-tree.ts';
import { branchOf, isRefName, type RefChange, type RefValue } from './plan-refs.ts';

/** All refs and HEAD. The packed ones are kept as git's file, which is read again only when it changed. */
export const Refs = z.object({
  head: z.nullable(z.string()),
  loose: z.record(z.string(), z.string()),
  packed: KeptFile,
  /** Branches that other work trees have checked out. */
  elsewhere: z.array(z.string()),
});
export type Refs = z.infer<typeof Refs>;

export type RefReader = {
  readonly read: () => Promise<Refs>;
  /** Where a ref stands; `null`: it doesn't exist. */
  readonly valueOf: (refs: Refs, name: string) => RefValue | null;
  readonly changes: (before: Refs, now: Refs) => RefChange[];
};

const PACKED_LINE = /^(?:|#.*|\^[0-9a-f]+|(?:[0-9a-f]{40}|[0-9a-f]{64}) refs\/\S+)$/;
const OBJECT_ID = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/;

/** Reads refs from git's own files: a process would take longer than all of them. */
export function refReader(tree: WorkTree, keep: Keeper, vault: Vault): RefReader {
  const seen = new Map<string, { readonly signature: string; readonly value: string }>();
  const parsed = new Map<string, ReadonlyMap<string, string>>();
  const valueIn = (path: string): string | null => {
    const stat = lstatOrNull(path);
    if (stat === null || stat.isDirectory()) return null;
    const signature = fileSignature(stat);
    const before = seen.get(path);
    if (before?.signature === signature && BigInt(Date.now() - 20) * 1_000_000n > stat.ctimeNs)
      return before.value;
    const file = readPlainFile(path, 4096);
    const value = file.kind === 'file' ? file.bytes.toString('utf8').trim() : '';
    seen.set(path, { signature, value });
    return value;
  };
  const packedOf = ({ packed: { was } }: Refs): ReadonlyMap<string, string> => {
    const hash = was.kind === 'file' ? was.sha256 : null;
    if (hash === null) return new Map();
    let found = parsed.get(hash);
    if (found === undefined) {
      found = parsePacked(vault.read(hash).toString('utf8'));
      parsed.clear();
      parsed.set(hash, found);
    }
    return found;
  };
  const walk = (root: string, name: string, into: Record<string, string>): void => {
    for (const entry of entriesIn(join(root, name))) {
      const path = `${name}/${entry.name}`;
      if (entry.isDirectory()) walk(root, path, into);
      else if (!path.endsWith('.lock')) into[path] = valueIn(join(root, path)) ?? '';
    }
  };
  const value = (refs: Refs, name: string) =>
    (Object.hasOwn(refs.loose, name) ? refs.loose[name] : packedOf(refs).get(name)) ?? null;
  return {
    valueOf: value,
    read: async () => {
      const loose: Record<string, string> = {};
      const packed = keep(join(tree.commonDir, 'packed-refs'), 'ref');
      if (existsSync(join(tree.commonDir, 'reftable'))) await readTable(tree, loose);
      else for (const root of new Set([tree.commonDir, tree.gitDir])) walk(root, 'refs', loose);
      return { head: valueIn(join(tree.gitDir, 'HEAD')), loose, packed, elsewhere: elsewhere(tree) };
    },
    changes: (before, now) => {
      const names = new Set([...Object.keys(before.loose), ...Object.keys(now.loose)]);
      const packed = [packedOf(before), packedOf(now)] as const;
      if (packed[0] !== packed[1]) for (const one of packed) for (const name of one.keys()) names.add(name);
      return [...names].toSorted().flatMap((name) => {
        const change = { name, was: value(before, name), now: value(now, name) };
        return change.was === change.now ? [] : [change];
      });
    },
  };
}

/** Whether git can read it. */
export function isValue(value: string | null): value is string {
  if (value === null) return false;
  return value.startsWith('ref: ') ? isRefName(value.slice('ref: '.length)) : OBJECT_ID.test(value);
}

/** Whether all lines of a file of packed refs are as git writes them. */
export function isPackedWhole(text: string): boolean {
  return text === '' || text.split('\n').every((line) => PACKED_LINE.test(line));
}

function parsePacked(text: string): ReadonlyMap<string, string> {
  const found = text.matchAll(/^([0-9a-f]{40}|[0-9a-f]{64}) (refs\/\S+)$/gm);
  return new Map([...found].map(([, oid = '', name = '']) => [name, oid]));
}

function entriesIn(folder: string) {
  return lstatSync(folder, { throwIfNoEntry: false })?.isDirectory()
    ? readdirSync(folder, { withFileTypes: true })
    : [];
}

/** The branches of all work trees but this one. */
function elsewhere({ gitDir, commonDir }: WorkTree): string[] {
  const linked = namesIn(join(commonDir, 'worktrees')).map((name) => join(commonDir, 'worktrees', name));
  return [commonDir, ...linked]
    .filter((folder) => folder !== gitDir)
    .flatMap((folder) => {
      const file = readPlainFile(join(folder, 'HEAD'), 4096);
      const branch = file.kind === 'file' ? branchOf(file.bytes.toString('utf8').trim()) : null;
      return branch === null ? [] : [branch];
    });
}

/** Repositories that keep their refs in a table have no file for each. */
async function readTable(tree: WorkTree, into: Record<string, string>): Promise<void> {
  const format = '--format=%(refname) %(objectname) %(symref)';
  const listed = (await objectGit(tree, ['for-each-ref', format])).stdout.toString('utf8');
  for (const [, name = '', oid = '', symbolic] of listed.matchAll(/^(\S+) (\S+) (\S*)$/gm))
    into[name] = symbolic ? `ref: ${symbolic}` : oid;
}
