import { join } from 'node:path';
import * as z from 'zod/mini';
import { trimBlanks } from '../../../lib/text.ts';
import { namesIn } from '../../names-in.ts';
import { type Keeper, KeptFile } from '../../protect/kept-file.ts';
import type { Vault } from '../../protect/vault.ts';
import { readPlainFile } from '../../store/files/plain-file.ts';
import { type LooseReader, parsePacked, type RefValue } from '../repository/refs.ts';
import type { WorkTree } from '../repository/work-tree.ts';
import { branchOf, isRefName, type RefChange } from './plan-refs.ts';

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

const PACKED_LINE = /^(?:|#.*|\^[0-9a-f]+|(?:[0-9a-f]{40}|[0-9a-f]{64}) refs\/[^ \n]+)$/;
const OBJECT_ID = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/;

/** @param readLoose What `looseRefs` of this work tree made. */
export function refReader(tree: WorkTree, readLoose: LooseReader, keep: Keeper, vault: Vault): RefReader {
  const parsed = new Map<string, ReadonlyMap<string, string>>();
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
  const value = (refs: Refs, name: string) =>
    (Object.hasOwn(refs.loose, name) ? refs.loose[name] : packedOf(refs).get(name)) ?? null;
  return {
    valueOf: value,
    read: async () => {
      const packed = keep(join(tree.commonDir, 'packed-refs'), 'ref');
      return { ...(await readLoose()), packed, elsewhere: elsewhere(tree) };
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

/** Whether it is the id of an object. */
export function isCommitId(value: string | null): value is string {
  return isValue(value) && !value.startsWith('ref: ');
}

/** Whether all lines of a file of packed refs are as git writes them. */
export function isPackedWhole(text: string): boolean {
  return text === '' || text.split('\n').every((line) => PACKED_LINE.test(line));
}

/** The branches of all work trees but this one. */
function elsewhere({ gitDir, commonDir }: WorkTree): string[] {
  const linked = namesIn(join(commonDir, 'worktrees')).map((name) => join(commonDir, 'worktrees', name));
  return [commonDir, ...linked]
    .filter((folder) => folder !== gitDir)
    .flatMap((folder) => {
      const file = readPlainFile(join(folder, 'HEAD'), 4096);
      const branch = file.kind === 'file' ? branchOf(trimBlanks(file.bytes.toString('utf8'))) : null;
      return branch === null ? [] : [branch];
    });
}
