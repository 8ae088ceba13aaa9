import { join } from 'node:path';
import { GitError } from '../../domain/ports.ts';
import type { GitCall } from '../call/environment.ts';
import { type GitObject, type ObjectKind, objectGit, objectText, readObjects } from '../call/git.ts';
import type { BytePath } from '../call/git-path.ts';
import { stampOf, type WorkTree } from '../call/work-tree.ts';
import { openCatFile } from './cat-file.ts';
import { hasLoose, objectId, readLoose, writeLoose } from './loose-objects.ts';
import type { RepositoryFormat } from './repository-format.ts';
import type { TreeFile } from './trees.ts';

export type Store = {
  /**
   * Returns an object; `null` when the id doesn't exist. A cached object is returned as the same value each time.
   * @param most Number of bytes from which on a packed object is `null`, too.
   * @throws GitError when damaged.
   */
  readonly read: (id: string, most?: number) => Promise<GitObject | null>;
  /** Whether an object exists right now, ignoring caches: `git gc --prune=now` may have removed it. @throws GitError */
  readonly isThere: (id: string) => Promise<boolean>;
  /** Stores an object and returns its id. @throws GitError */
  readonly write: (kind: ObjectKind, content: Buffer) => Promise<string>;
  readonly end: () => void;
};

/** Number of trees and commits cached: at most about 100 MB for folders of a thousand files. */
const MOST_KEPT = 20_000;

/** Opens a repository's objects in this process; packed ones come from one long-running git. */
export function openStore(tree: WorkTree, format: RepositoryFormat, call: () => GitCall): Store {
  const git = openCatFile(call);
  const folder = join(tree.commonDir, 'objects');
  const packs = join(folder, 'pack');
  /** Trees and commits never change; the oldest are dropped first. */
  const kept = new Map<string, GitObject>();
  let packsSeen = stampOf(packs);

  const keep = (object: GitObject): GitObject => {
    if (object.kind !== 'tree' && object.kind !== 'commit') return object;
    const [oldest] = kept.keys();
    if (kept.size >= MOST_KEPT && oldest !== undefined) kept.delete(oldest);
    kept.set(object.id, object);
    return object;
  };

  return {
    read: async (id, most) => {
      const known = kept.get(checkedId(id, format)) ?? readLoose(folder, id, format.objects);
      if (known !== null) return keep(known);
      if (most !== undefined && ((await git.info(id))?.size ?? 0) > most) return null;
      const packed = await git.contents(id);
      if (packed === null) return null;
      if (objectId(format.objects, packed.kind, packed.content) !== id)
        throw new GitError(`the object ${id} is damaged: its content has another id`);
      return keep(packed);
    },
    isThere: async (id) => {
      if (!isId(id, format)) return false;
      if (hasLoose(folder, id)) return true;
      // A running git keeps deleted packs open and would still find their objects.
      const now = stampOf(packs);
      if (now !== packsSeen) git.end();
      packsSeen = now;
      return (await git.info(id)) !== null;
    },
    write: async (kind, content) => {
      if (!format.writes) return writeByGit(tree, kind, content);
      const id = writeLoose(folder, format.objects, kind, content, format.syncsObjects);
      keep({ id, kind, content });
      return id;
    },
    end: git.end,
  };
}

/** Adds object folders for one question, without a long-running git for them. */
export function withFolders(own: Store, tree: WorkTree, format: RepositoryFormat): Store {
  const git = gitStore(tree);
  const { passing } = tree;
  const folders = [...(passing === undefined ? [] : [passing]), ...(tree.alternates ?? [])];
  return {
    read: async (id, most) => {
      for (const one of folders) {
        const found = readLoose(one, checkedId(id, format), format.objects);
        if (found !== null) return found;
      }
      return (await own.read(id, most)) ?? git.read(id, most);
    },
    isThere: async (id) =>
      folders.some((one) => hasLoose(one, id)) || (await own.isThere(id)) || git.isThere(id),
    write: async (kind, content) => {
      if (passing === undefined) return own.write(kind, content);
      if (!format.writes) return git.write(kind, content);
      return writeLoose(passing, format.objects, kind, content, format.syncsObjects);
    },
    end: () => undefined,
  };
}

export function gitStore(tree: WorkTree): Store {
  return {
    read: async (id, most) => {
      const { objects, cut } = await readObjects(tree, [id], most);
      return cut ? null : (objects[0] ?? null);
    },
    isThere: async (id) => {
      const { code } = await objectGit(tree, ['cat-file', '-e', id], { answers: [1, 128] });
      return code === 0;
    },
    write: (kind, content) => writeByGit(tree, kind, content),
    end: () => undefined,
  };
}

export async function filesByGit(tree: WorkTree, id: string): Promise<TreeFile[]> {
  const { stdout } = await objectGit(tree, ['ls-tree', '-r', '-z', '--full-tree', id]);
  return stdout
    .toString('latin1')
    .split('\0')
    .flatMap((record) => {
      const [, mode, oid, path] = /^(\d+) \w+ ([0-9a-f]+)\t(.*)$/s.exec(record) ?? [];
      return mode === undefined || oid === undefined ? [] : [{ mode, oid, path: path as BytePath }];
    });
}

function writeByGit(tree: WorkTree, kind: ObjectKind, content: Buffer): Promise<string> {
  return objectText(tree, ['hash-object', '-t', kind, '-w', '--stdin'], { input: content });
}

function checkedId(id: string, format: RepositoryFormat): string {
  if (!isId(id, format)) throw new GitError(`${JSON.stringify(id)} isn't the id of an object`);
  return id;
}

/** A repository made anew may use another hash function. */
function isId(id: string, { objects }: RepositoryFormat): boolean {
  return id.length === (objects === 'sha1' ? 40 : 64) && /^[0-9a-f]+$/.test(id);
}
