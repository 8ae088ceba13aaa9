import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { plainText } from 'ralph-kit/files/plain-file';
import { trimBlanks } from 'ralph-kit/text';
import { tryOr } from 'ralph-kit/try-or';
import { stampOf, type WorkTree } from '../call/work-tree.ts';

const OID = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/;
/** Refs that each work tree has for itself. */
const OF_ONE_TREE = /^(?!refs\/)|^refs\/(?:bisect|worktree|rewritten)\//;
/** Git follows at most this many symbolic refs in a chain. */
const MAX_LINKS = 5;
/** Read limit of a ref file, in bytes. */
const MAX_REF = 4096;
/** Read limit of the packed refs, in bytes. */
const MAX_PACKED = 64 * 1024 * 1024;
const SYMBOLIC = 'ref: ';

/** Reads refs from files, fresh for each question and without git, so an agent's folder can be read, too. */
export type Refs = {
  /** Returns the object of a full ref name (`HEAD`, `refs/heads/main`); `null` when there is none. */
  readonly resolve: (name: string) => string | null;
  readonly isSymbolic: (name: string) => boolean;
  /**
   * Returns the full name of HEAD's branch, even before its first commit; `null` when HEAD is detached or unreadable.
   */
  readonly head: () => string | null;
  readonly below: (folders: readonly string[]) => ReadonlyMap<string, string>;
};

export function openRefs({ gitDir, commonDir }: Pick<WorkTree, 'gitDir' | 'commonDir'>): Refs {
  let packed: { readonly stamp: string; readonly refs: ReadonlyMap<string, string> } | null = null;
  const readPacked = (): ReadonlyMap<string, string> => {
    const file = join(commonDir, 'packed-refs');
    // Git replaces the file by a rename, so its stamp changes.
    const stamp = stampOf(file);
    if (packed?.stamp !== stamp) packed = { stamp, refs: parsePacked(plainText(file, MAX_PACKED) ?? '') };
    return packed.refs;
  };
  const loose = (name: string): string | null => {
    if (!isRefName(name)) return null;
    const text = plainText(join(OF_ONE_TREE.test(name) ? gitDir : commonDir, name), MAX_REF);
    return text === null ? null : trimBlanks(text);
  };
  const resolve = (name: string, links = MAX_LINKS): string | null => {
    // A ref being packed is in both places for a moment; git reads its own file first.
    const value = loose(name) ?? readPacked().get(name) ?? '';
    if (value.startsWith(SYMBOLIC))
      return links === 0 ? null : resolve(trimBlanks(value.slice(SYMBOLIC.length)), links - 1);
    return OID.test(value) ? value : null;
  };
  const walk = (folder: string, found: Map<string, string>): void => {
    for (const root of new Set([commonDir, gitDir])) {
      for (const entry of tryOr([], () => readdirSync(join(root, folder), { withFileTypes: true }))) {
        const name = `${folder}/${entry.name}`;
        if (entry.isDirectory()) walk(name, found);
        else if (!name.endsWith('.lock')) {
          const id = resolve(name);
          if (id !== null) found.set(name, id);
        }
      }
    }
  };
  return {
    resolve: (name) => resolve(name),
    isSymbolic: (name) => loose(name)?.startsWith(SYMBOLIC) === true,
    head: () => {
      const value = loose('HEAD') ?? '';
      return value.startsWith(SYMBOLIC) ? trimBlanks(value.slice(SYMBOLIC.length)) : null;
    },
    below: (folders) => {
      const found = new Map<string, string>();
      for (const folder of folders) walk(folder.replace(/\/$/, ''), found);
      for (const [name, id] of readPacked())
        if (!found.has(name) && folders.some((folder) => name.startsWith(folder)) && loose(name) === null)
          found.set(name, id);
      return new Map([...found].sort(([one], [other]) => (one < other ? -1 : 1)));
    },
  };
}

function parsePacked(text: string): ReadonlyMap<string, string> {
  const lines = text.matchAll(/^([0-9a-f]{40}|[0-9a-f]{64}) (refs\/[^ \n]+)$/gm);
  return new Map([...lines].map(([, id = '', name = '']) => [name, id]));
}

/** Whether a name stays within the folder of refs. */
function isRefName(name: string): boolean {
  return /^(?:[A-Z_]+|refs(?:\/[^/]+)+)$/.test(name) && !/(^|\/)\.|\.\.|\0/.test(name);
}
