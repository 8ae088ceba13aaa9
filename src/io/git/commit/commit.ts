import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Snapshot } from '../../../domain/change-set.ts';
import { type CommitOutcome, GitError, type HeadEdit } from '../../../domain/ports.ts';
import { gitCall } from '../call/environment.ts';
import { indexGit, objectGit, revision, userIndexGit } from '../call/git.ts';
import { type BytePath, nulList, parsePath, printPath } from '../call/git-path.ts';
import { runProgram } from '../call/run-git.ts';
import { changesFromHead } from '../diff/diff.ts';
import type { RawChange } from '../diff/parse-diff.ts';
import { operationInProgress } from '../repository/operations.ts';
import type { WorkTree } from '../repository/work-tree.ts';
import { changedEntries, passOver, setChanged } from '../snapshot/index-state.ts';
import { parseIndexEntries } from '../snapshot/parse-status.ts';
import { copyIndex } from '../snapshot/private-index.ts';
import type { Snapshots } from '../snapshot/snapshot.ts';
import { withHooks } from '../view/boxed-hooks.ts';
import { changedHook } from '../view/changed-hook.ts';
import { hookReason } from '../view/hooks.ts';
import { committable } from './committable.ts';
import { type EditedFile, editHead } from './edited-file.ts';
import { clearPending, notePending } from './pending-commit.ts';

/** Another git process may hold the user's index for a moment: 50 tries, 100 ms apart. */
const LOCK_TRIES = 50;
const LOCK_WAIT_MS = 100;

/**
 * Commits these paths as the snapshot has them. The commit is made from a temporary index (HEAD and these entries),
 * so what the user has staged stays out of it; afterwards the user's index gets the committed entries alone.
 */
export async function commitPaths(
  snapshots: Snapshots,
  snapshot: Snapshot,
  paths: readonly string[],
  message: string,
  edit: HeadEdit | null,
): Promise<CommitOutcome> {
  const { tree } = snapshots;
  // The commit would become part of it.
  const running = operationInProgress(tree.gitDir);
  if (running !== null) {
    return { kind: 'skipped', reason: `${running.what} is in progress; finish or abort it first.`, paths };
  }
  const changed = changedHook(tree);
  if (changed !== null) return { kind: 'skipped', reason: hookReason(changed), paths };
  const lock = join(tree.gitDir, 'index.lock');
  if (existsSync(lock)) {
    return {
      kind: 'failed',
      reason: `another git process holds ${lock}. If none is running, remove that file.`,
    };
  }
  const head = await revision(tree, 'HEAD');
  const wanted = new Set(paths.map(parsePath));
  const differ = (await changesFromHead(tree, head, snapshot.tree)).filter(({ path }) => wanted.has(path));
  const edited = await editHead(tree, head, edit);
  if (differ.length === 0 && edited === null) return { kind: 'nothing' };
  const foreign = differ.length === 0 ? [] : await editedSince(snapshots, snapshot, wanted);
  if (foreign.length > 0) {
    const reason = 'these files were changed after the attempt or are in conflict.';
    return { kind: 'skipped', reason, paths: foreign.map(printPath) };
  }
  const changes = await committable(snapshots, differ);
  if (changes.length === 0 && edited === null) return { kind: 'nothing' };
  const unknown = await identityProblem(tree);
  if (unknown !== null) return { kind: 'failed', reason: unknown };
  return commitChanges(snapshots, head, changes, message, edited);
}

const hasHooks = ({ view }: WorkTree): boolean => (view?.hookFiles.size ?? 0) > 0;

async function commitChanges(
  { tree, files }: Snapshots,
  head: string | null,
  changes: readonly RawChange[],
  message: string,
  edited: EditedFile | null,
): Promise<CommitOutcome> {
  const { folder, index, passingIndex } = files;
  const follow = { paths: join(folder, 'commit-paths'), entries: join(folder, 'commit-entries') };
  try {
    // The copy brings time stamps along: without them git would read every file of the repository again.
    copyIndex(index, passingIndex);
    const git = indexGit({ kind: 'private-index', tree, index: passingIndex });
    await git(head === null ? ['read-tree', '--empty'] : ['read-tree', '--reset', head]);
    await setChanged(git, edited === null ? changes : [...changes, edited.change]);
    if (hasHooks(tree)) await passOver(git, changes);
    notePending(tree, head);
    writeFileSync(follow.paths, nulList(changes.map(({ path }) => path)), { mode: 0o600 });
    writeFileSync(follow.entries, changedEntries(edited?.staged == null ? [] : [edited.staged]), {
      mode: 0o600,
    });
    const end = await withHooks(tree, (hooks) => runCommit(tree, hooks, passingIndex, follow, message));
    const commit = end.kind === 'failed' ? head : await revision(tree, 'HEAD');
    if (commit === null || commit === head) {
      clearPending(tree);
      const stayed = `git commit succeeded and HEAD stayed at ${head}.`;
      return { kind: 'failed', reason: end.kind === 'failed' ? end.reason : `${stayed} ${end.output}` };
    }
    // A hook may have put more into the commit, or less; the user's index follows the commit.
    const made = await changesFromHead(tree, head, commit);
    // What is staged of the edited file stays staged beside the edit.
    const others = made.filter(({ path }) => path !== edited?.path);
    await updateUserIndex(tree, edited?.staged == null ? others : [...others, edited.staged]);
    clearPending(tree);
    return { kind: 'committed', commit, paths: made.map(({ path }) => printPath(path)) };
  } finally {
    for (const file of [passingIndex, `${passingIndex}.lock`, follow.paths, follow.entries])
      rmSync(file, { force: true });
  }
}

/** Paths that are no longer as in the snapshot, or that the user's index has in conflict. */
async function editedSince(
  { tree, take }: Snapshots,
  snapshot: Snapshot,
  wanted: ReadonlySet<BytePath>,
): Promise<BytePath[]> {
  const now = await take();
  const moved = now.tree === snapshot.tree ? [] : await changesFromHead(tree, snapshot.tree, now.tree);
  const unmerged = parseIndexEntries((await objectGit(tree, ['ls-files', '-u', '-v', '-z'])).stdout);
  const foreign = new Set([...moved, ...unmerged].map(({ path }) => path).filter((path) => wanted.has(path)));
  return [...foreign].sort();
}

async function updateUserIndex(tree: WorkTree, changes: readonly RawChange[]): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    try {
      await setChanged(userIndexGit(tree), changes);
      return;
    } catch (error) {
      if (!(error instanceof GitError) || !error.message.includes('index.lock') || tries === LOCK_TRIES)
        throw error;
      await delay(LOCK_WAIT_MS);
    }
  }
}

/** `null` when git knows who commits. */
async function identityProblem(tree: WorkTree): Promise<string | null> {
  for (const variable of ['GIT_AUTHOR_IDENT', 'GIT_COMMITTER_IDENT']) {
    const { code, stderr } = await objectGit(tree, ['var', variable], { answers: [128] });
    if (code !== 0) {
      const why = stderr.split('\n').findLast((line) => line.startsWith('fatal:')) ?? stderr;
      return `git doesn't know who commits (${why}). Run: git config user.name "…" && git config user.email "…"`;
    }
  }
  return null;
}

/** Characters of the output that go into a message. */
const OUTPUT_END = 2000;

type CommitEnd =
  | { readonly kind: 'ended'; readonly output: string }
  | { readonly kind: 'failed'; readonly reason: string };

/**
 * The commit, and at once behind it the same in the user's index, in one shell: it continues when ralph is killed in
 * between. What is left to do when that fails is done by `updateUserIndex`.
 */
const SCRIPT = `git=$1 paths=$2 entries=$3
shift 3
"$git" "$@" commit --quiet --cleanup=whitespace -F - || exit
unset GIT_INDEX_FILE
exec >/dev/null 2>&1
[ ! -s "$entries" ] || "$git" "$@" update-index -z --index-info < "$entries"
[ ! -s "$paths" ] || GIT_LITERAL_PATHSPECS=1 "$git" "$@" reset --quiet --pathspec-from-file="$paths" --pathspec-file-nul
exit 0`;

/** What of a commit the user's index follows: files with its paths, with NUL after each, and with whole entries. */
type Follow = { readonly paths: string; readonly entries: string };

/**
 * `git commit` as the user would run it, hooks and signing included, on another index. The message goes over
 * standard input.
 */
async function runCommit(
  tree: WorkTree,
  hooks: string,
  indexFile: string,
  follow: Follow,
  message: string,
): Promise<CommitEnd> {
  const call = gitCall({ kind: 'user', tree, hooks }, { GIT_INDEX_FILE: indexFile });
  if (call.program.kind === 'missing') return { kind: 'failed', reason: call.program.message };
  const args = ['-c', SCRIPT, 'sh', call.program.path, follow.paths, follow.entries, ...call.flags];
  const { code, signal, stdout, stderr, stopped } = await runProgram('/bin/sh', args, call, {
    input: message,
  });
  const output = `${stdout.toString('utf8')}${stderr}`.trim().slice(-OUTPUT_END);
  if (code === 0 && stopped === null) return { kind: 'ended', output };
  if (stopped !== null && output === '') return { kind: 'failed', reason: `git commit ${stopped}.` };
  const how = stopped ?? `ended with ${code ?? signal}`;
  return { kind: 'failed', reason: `git commit ${how}: ${output || 'no output'}` };
}
