import type { FileHistory, HistoryQuery } from '../../../domain/ports.ts';
import { objectGit, readObjects } from '../call/git.ts';
import { bytePath } from '../call/git-path.ts';
import type { WorkTree } from '../call/work-tree.ts';
import { revision } from '../objects/questions.ts';

/** Commits of one file that are read, the newest. */
const MAX_COMMITS = 500;
/** Bytes of all versions together. */
const MAX_BYTES = 256 * 1024 * 1024;

/**
 * What commits hold of a file between one of them and HEAD; `null` where that isn't known, as the commit is gone.
 * @throws GitError
 */
export async function fileHistory(
  tree: WorkTree,
  { path, since }: HistoryQuery,
): Promise<FileHistory | null> {
  // A name with a line end can't be asked for below.
  if (path.includes('\n') || (await revision(tree, `${since}^{commit}`)) === null) return null;
  const list = await objectGit(tree, [
    // Not `log`, which the settings of the repository change.
    ...['rev-list', '--full-history', '--topo-order', '--reverse', '--ignore-missing'],
    ...[`--max-count=${MAX_COMMITS}`, '--format=%H%x00%P%x00%an'],
    ...['HEAD', '--not', since, '--', path],
  ]);
  const commits = list.stdout
    .toString('utf8')
    .split('\n')
    .filter((line) => line.includes('\0'))
    .map((line) => {
      const [commit = '', parents = '', author = ''] = line.split('\0');
      return { commit, author, parents: parents.split(' ').filter((parent) => parent !== '') };
    });
  const ids = new Set(['HEAD', since, ...commits.flatMap((one) => [one.commit, ...one.parents])]);
  const texts = await textsOf(tree, path, [...ids]);
  if (texts === null) return null;
  const textOf = (id: string) => texts.get(id) ?? null;
  const present = (list: readonly string[]) => list.flatMap((id) => textOf(id) ?? []);
  return {
    head: textOf('HEAD'),
    since: textOf(since),
    versions: commits.flatMap(({ commit, author, parents }) => {
      const text = textOf(commit);
      return text === null ? [] : [{ commit, author, text, parents: present(parents) }];
    }),
  };
}

/** The file as each of these commits holds it; `null` where that is too much. */
async function textsOf(
  tree: WorkTree,
  path: string,
  commits: readonly string[],
): Promise<ReadonlyMap<string, string> | null> {
  const place = bytePath(Buffer.from(path));
  const names = commits.map((commit) => `${commit}:${place}`);
  const { objects, cut } = await readObjects(tree, names, MAX_BYTES);
  // A parent that is left out would make its child look like the first that holds a mark.
  if (cut) return null;
  return new Map(
    commits.flatMap((commit, at): [string, string][] => {
      const found = objects[at];
      return found?.kind === 'blob' ? [[commit, found.content.toString('utf8')]] : [];
    }),
  );
}
