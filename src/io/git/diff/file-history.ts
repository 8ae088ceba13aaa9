import type { FileHistory, HistoryQuery } from '../../../domain/ports.ts';
import { objectGit, revision } from '../call/git.ts';
import type { WorkTree } from '../repository/work-tree.ts';

/** Commits of one file that are read, the newest. */
const MAX_COMMITS = 500;
/** Bytes of all versions together. */
const MAX_BYTES = 256 * 1024 * 1024;

/**
 * What commits hold of a file between one of them and HEAD; `null` where that can't be told, as the commit is gone.
 * @throws GitError
 */
export async function fileHistory(
  tree: WorkTree,
  { path, since, without }: HistoryQuery,
): Promise<FileHistory | null> {
  // A name with a line end can't be asked for below.
  if (path.includes('\n') || (await revision(tree, `${since}^{commit}`)) === null) return null;
  const list = await objectGit(tree, [
    // Not `log`, which the settings of the repository change.
    ...['rev-list', '--full-history', '--topo-order', '--reverse', '--ignore-missing'],
    ...[`--max-count=${MAX_COMMITS}`, '--format=%H%x00%P%x00%an'],
    ...['HEAD', '--not', since, ...without, '--', path],
  ]);
  const commits = list.stdout
    .toString('utf8')
    .split('\n')
    .filter((line) => line.includes('\0'))
    .map((line) => {
      const [commit = '', parents = '', author = ''] = line.split('\0');
      return { commit, author, parents: parents.split(' ').filter((parent) => parent !== '') };
    });
  const ids = new Set(['HEAD', since, ...without, ...commits.flatMap((one) => [one.commit, ...one.parents])]);
  const texts = await textsOf(tree, path, [...ids]);
  if (texts === null) return null;
  const textOf = (id: string) => texts.get(id) ?? null;
  const present = (list: readonly string[]) => list.flatMap((id) => textOf(id) ?? []);
  return {
    head: textOf('HEAD'),
    since: textOf(since),
    without: present(without),
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
  const input = commits.map((commit) => `${commit}:${path}\n`).join('');
  const { stdout, cut } = await objectGit(tree, ['cat-file', '--batch'], { input, maxBytes: MAX_BYTES });
  // A parent that is left out would make its child look like the first that holds a mark.
  if (cut) return null;
  const texts = new Map<string, string>();
  let at = 0;
  for (const commit of commits) {
    const end = stdout.indexOf('\n', at);
    if (end < 0) break;
    const size = /^[0-9a-f]+ (\w+) (\d+)$/.exec(stdout.toString('utf8', at, end));
    at = end + 1;
    if (size === null) continue;
    const length = Number(size[2]);
    if (size[1] === 'blob' && at + length <= stdout.length) {
      texts.set(commit, stdout.toString('utf8', at, at + length));
    }
    at += length + 1;
  }
  return texts;
}
