import type { LostPath } from '../../../domain/ports.ts';
import { hasLost } from '../../../lib/text.ts';
import { objectGit } from '../call/git.ts';
import { type BytePath, parsePath, printPath } from '../call/git-path.ts';
import { changesFromHead, treeDiff, WITH_RENAMES } from '../diff/diff.ts';
import { isGitlink, parseDiff, type RawChange } from '../diff/parse-diff.ts';
import { PLAIN_DIFF } from '../diff/plain-diff.ts';
import { isOwn, type WorkTree } from '../repository/work-tree.ts';
import { applyToTree, composeTree, wholePatch } from './compose.ts';

/** Files whose text is read; of more, only those that are gone or as in the commit again are found. */
const MOST_READ = 50;
/** Bytes of a file that are read. */
const LONGEST = 4_000_000;

/** What a tree holds at a path; `null`: nothing. */
type Entry = { readonly mode: string; readonly oid: string } | null;

type Parts = {
  /** A commit, `null` before the first one. */
  readonly from: string | null;
  /** Tree with the changes that aren't committed, and the tree of now. */
  readonly mine: string;
  readonly now: string;
  readonly paths: readonly string[];
  readonly staged: ReadonlyMap<string, string>;
};

/** Which changes of `mine` since `from` aren't in `now` any more. What was moved elsewhere isn't lost. @throws GitError */
export async function lostWork(
  tree: WorkTree,
  indexFile: string,
  { from, mine, now, paths, staged }: Parts,
): Promise<readonly LostPath[]> {
  const wanted = new Set(paths.map(parsePath));
  const work = (await changesFromHead(tree, from, mine)).filter(
    (change) => wanted.has(change.path) && !isGitlink(change) && !isOwn(tree, change.path),
  );
  if (work.length === 0 || mine === now) return [];
  const since = parseDiff((await treeDiff(tree, [...WITH_RENAMES, '-z', '--raw', mine, now])).stdout).raw;
  const left = new Map<BytePath, Entry>();
  for (const change of since) {
    if (change.status !== 'R') left.set(change.path, newSide(change));
  }
  const found: LostPath[] = [];
  let read = 0;
  for (const change of work) {
    const there = left.get(change.path);
    if (there === undefined) continue;
    const named = { path: printPath(change.path), isNew: change.status === 'A' };
    const lost = lostAt(change, there, staged.get(named.path));
    if (lost !== 'read') {
      if (lost !== null) found.push({ ...named, ...lost });
    } else if (read < MOST_READ) {
      read += 1;
      const text = await lostInText(tree, indexFile, { from, mine, now }, change, there);
      if (text !== null) found.push({ ...named, ...text });
    }
  }
  return found;
}

type Lost = Pick<LostPath, 'how' | 'merges'>;

/** By the entries alone; `read`: the text says it. */
function lostAt(change: RawChange, now: Entry, staged: string | undefined): Lost | 'read' | null {
  const from: Entry = change.status === 'A' ? null : { mode: change.oldMode, oid: change.oldOid };
  if (now === null) return { how: 'removed', merges: false };
  if (from !== null && now.oid === from.oid && now.mode === from.mode)
    return { how: 'reverted', merges: false };
  if (now.oid === staged && now.oid !== change.newOid) return { how: 'reverted', merges: false };
  // You had deleted it, and it holds something new.
  return change.status === 'D' ? null : 'read';
}

async function lostInText(
  tree: WorkTree,
  indexFile: string,
  { from, mine, now }: Omit<Parts, 'paths' | 'staged'>,
  change: RawChange,
  there: Entry,
): Promise<Lost | null> {
  const isNew = change.status === 'A';
  const [before, changed, text] = await Promise.all([
    isNew ? '' : contentOf(tree, change.oldOid),
    contentOf(tree, change.newOid),
    contentOf(tree, there?.oid ?? ''),
  ]);
  if (text.trim() === '' && changed.trim() !== '') return { how: 'removed', merges: false };
  const lost = hasLost(before, changed, text);
  if (lost === false) return null;
  if (!isNew && from !== null) {
    const paths = [printPath(change.path)];
    const onlyThis = await composeTree(tree, indexFile, { base: from, from: mine, paths });
    const patch = await wholePatch(tree, from, onlyThis);
    if ((await applyToTree(tree, indexFile, now, patch)) !== null) return { how: 'reverted', merges: true };
  }
  if (lost !== true) return null;
  const isOld = there !== null && (await isKnown(tree, there.oid, change.path, from));
  return { how: isOld ? 'reverted' : 'replaced', merges: false };
}

/** Whether a file held this content before: in a commit, or in an entry of the stash. Nothing new is in it then. */
async function isKnown(tree: WorkTree, oid: string, path: BytePath, from: string | null): Promise<boolean> {
  const starts = [...(from === null ? [] : [[from]]), ['-m', '-g', 'refs/stash']];
  for (const start of starts) {
    const args = [
      'log',
      '-1',
      '--format=%H',
      ...PLAIN_DIFF,
      `--find-object=${oid}`,
      ...start,
      '--',
      printPath(path),
    ];
    const { stdout } = await objectGit(tree, args, { answers: [128] });
    if (stdout.length > 0) return true;
  }
  return false;
}

async function contentOf(tree: WorkTree, oid: string): Promise<string> {
  return (await objectGit(tree, ['cat-file', 'blob', oid], { maxBytes: LONGEST })).stdout.toString('latin1');
}

function newSide({ status, newMode, newOid }: RawChange): Entry {
  return status === 'D' ? null : { mode: newMode, oid: newOid };
}
