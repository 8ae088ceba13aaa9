import type { FileHistory, HistoryQuery } from '../../domain/ports.ts';
import { objectGit, readObjects } from '../call/git.ts';
import { bytePath } from '../call/git-path.ts';
import type { WorkTree } from '../call/work-tree.ts';
import { revision } from '../objects/questions.ts';

/** Limit of commits read per file, newest first. */
const MAX_COMMITS = 500;
/** Limit for all versions together, in bytes. */
const MAX_BYTES = 256 * 1024 * 1024;

/** Returns versions up to HEAD; `null` when `since` is gone or there is too much. @throws GitError */
export async function fileHistory(
  tree: WorkTree,
  { path, since }: HistoryQuery,
): Promise<FileHistory | null> {
  // `cat-file --batch` can't take a name with a line end.
  if (path.includes('\n')) return null;
  if (since !== null && (await revision(tree, `${since}^{commit}`)) === null) return null;
  const list = await objectGit(tree, [
    // `log` depends on the repository's settings.
    ...['rev-list', '--full-history', '--topo-order', '--reverse', '--ignore-missing'],
    ...[`--max-count=${MAX_COMMITS}`, '--format=%H%x00%P%x00%an%x00%ct%x00%s'],
    ...['HEAD', ...(since === null ? [] : ['--not', since]), '--', path],
  ]);
  const commits = list.stdout
    .toString('utf8')
    .split('\n')
    .filter((line) => line.includes('\0'))
    .map((line) => {
      const [commit = '', parents = '', author = '', seconds = '', subject = ''] = line.split('\0');
      const about = { author, subject, at: Number(seconds) * 1000 };
      return { commit, about, parents: parents.split(' ').filter((parent) => parent !== '') };
    });
  const ids = new Set([
    'HEAD',
    ...(since === null ? [] : [since]),
    ...commits.flatMap((one) => [one.commit, ...one.parents]),
  ]);
  const texts = await textsOf(tree, path, [...ids]);
  if (texts === null) return null;
  const textOf = (id: string) => texts.get(id) ?? null;
  const present = (list: readonly string[]) => list.flatMap((id) => textOf(id) ?? []);
  return {
    head: textOf('HEAD'),
    since: since === null ? null : textOf(since),
    versions: commits.flatMap(({ commit, about, parents }) => {
      const text = textOf(commit);
      return text === null ? [] : [{ commit, ...about, text, parents: present(parents) }];
    }),
  };
}

/** Returns the texts of a file in these commits; `null` when they are too large together. */
async function textsOf(
  tree: WorkTree,
  path: string,
  commits: readonly string[],
): Promise<ReadonlyMap<string, string> | null> {
  const place = bytePath(Buffer.from(path));
  const names = commits.map((commit) => `${commit}:${place}`);
  const { objects, cut } = await readObjects(tree, names, MAX_BYTES);
  // A missing parent would make its child look like the first version with a mark.
  if (cut) return null;
  return new Map(
    commits.flatMap((commit, at): [string, string][] => {
      const found = objects[at];
      return found?.kind === 'blob' ? [[commit, found.content.toString('utf8')]] : [];
    }),
  );
}
