import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { lastUsed } from 'ralph-kit/last-used';
import {
  type AgentCommit,
  type Change,
  type ChangeSet,
  type Hunk,
  READ_PATCH_BYTES,
  type Snapshot,
} from '../../domain/change-set.ts';
import type { CopyCommit } from '../../domain/ports/work.ts';
import { objectGit, objectText } from '../call/git.ts';
import { type BytePath, printPath } from '../call/git-path.ts';
import type { GitRequest } from '../call/run-git.ts';
import { emptyTree, privateFolder, type WorkTree } from '../call/work-tree.ts';
import { rawChanges } from '../objects/questions.ts';
import { GITLINK, type RawChange } from '../objects/tree-entries.ts';
import type { Submodules } from '../read/nested.ts';
import {
  changeKind,
  type FilePatch,
  filePatches,
  isGitlink,
  type LineCount,
  parseDiff,
} from '../read/parse-diff.ts';
import { PLAIN_DIFF } from './plain-diff.ts';

/** Larger changes have no hunks; their evidence is judged by path. */
const MAX_HUNK_FILES = 2000;
/** Larger patches aren't kept in memory. */
const MAX_PATCH_BYTES = 5_000_000;
/** Limit of file pairs compared for renames; above it only equal content matches. */
const RENAME_LIMIT = 1000;
/** Limit of commits listed per attempt. */
const MAX_COMMITS = 1000;

export const WITH_RENAMES = ['-M', `-l${RENAME_LIMIT}`];

const NUMBERS = [...WITH_RENAMES, '-z', '--numstat', '--stdin'];
/** Line counts come from the patch; git would read each file again for them. */
const WHOLE_DIFF = [...WITH_RENAMES, '-z', '--raw', '-p', '--stdin'];

export async function diffSnapshots(
  tree: WorkTree,
  find: Submodules['find'],
  before: Snapshot,
  after: Snapshot,
  patchBytes: number,
): Promise<{ readonly changes: ChangeSet; readonly patch: string }> {
  const [{ patch, ...changed }, commits] = await Promise.all([
    diffTrees(tree, find, before.tree, after.tree),
    commitsBetween(tree, before.head, after.head),
  ]);
  return {
    changes: { before, after, ...changed, commits },
    patch:
      patch === null
        ? await patchBetween(tree, before.tree, after.tree, patchBytes)
        : wholeLines(patch, patchBytes),
  };
}

/** Changes between two trees. `patch` has lines of context; `null` when it is too large. */
type TreeDiff = Pick<ChangeSet, 'changes' | 'hunksOmitted'> & { readonly patch: Buffer | null };

async function diffTrees(
  tree: WorkTree,
  find: Submodules['find'],
  before: string,
  after: string,
): Promise<TreeDiff> {
  const changes: Change[] = [];
  if (before === after) return { changes, hunksOmitted: false, patch: Buffer.alloc(0) };
  const { raw: all, counts, hunks, patch } = await readDiff(tree, before, after);
  let hunksOmitted = hunks === null;
  for (const [index, raw] of all.entries()) {
    changes.push(toChange(raw, counts[index], hunks?.[index] ?? []));
    const inner = isGitlink(raw) ? await diffInside(find(raw.path), raw) : null;
    if (inner === null) continue;
    changes.push(...inner.changes.map((change) => below(raw.path, change)));
    hunksOmitted ||= inner.hunksOmitted;
  }
  return { changes, hunksOmitted, patch };
}

/** Returns the changes inside a submodule; `null` when git lacks one of its states. */
async function diffInside(submodule: WorkTree | null, raw: RawChange): Promise<TreeDiff | null> {
  if (submodule === null || !existsSync(submodule.gitDir)) return null;
  const side = (mode: string, oid: string) => (mode === GITLINK ? oid : emptyTree(oid));
  const before = side(raw.oldMode, raw.oldOid);
  const after = side(raw.newMode, raw.newOid);
  // Objects may exist without the work tree.
  const store = { ...submodule, top: submodule.gitDir };
  const known = await objectText(store, ['cat-file', '--batch-check=%(objectname)'], {
    input: `${before}^{tree}\n${after}^{tree}\n`,
  });
  const [from = '', to = ''] = known.split('\n');
  return known.includes(' missing') ? null : diffTrees(store, () => null, from, to);
}

function below(folder: BytePath, change: Change): Change {
  const prefix = printPath(folder);
  const oldPath = change.oldPath === null ? null : `${prefix}/${change.oldPath}`;
  return { ...change, path: `${prefix}/${change.path}`, oldPath };
}

type Diff = {
  readonly raw: readonly RawChange[];
  readonly counts: readonly (LineCount | undefined)[];
  readonly hunks: readonly Hunk[][] | null;
  /** Patch with context; `null` when it is too large. */
  readonly patch: Buffer | null;
};

/** Number of remembered diffs: judges ask for an attempt's diff again. */
const MOST_DIFFS = 4;
const lastDiffs = lastUsed<Diff>(MOST_DIFFS);

function readDiff(tree: WorkTree, before: string, after: string): Promise<Diff> {
  // Attributes are read from the work tree.
  const key = [tree.gitDir, tree.top, before, after].join('\0');
  const diff = lastDiffs.ask(key, () => diffOfTrees(tree, before, after));
  diff.then(
    (found) => {
      if ((found.patch?.length ?? 0) > MAX_PATCH_BYTES)
        lastDiffs.replace(key, diff, Promise.resolve(withoutPatch(found)));
    },
    () => undefined,
  );
  return diff;
}

async function diffOfTrees(tree: WorkTree, before: string, after: string): Promise<Diff> {
  const pair = `${before} ${after}\n`;
  const numbers = pair.length + numbersBytes(await changesFromHead(tree, before, after));
  const full = await treeDiff(tree, WHOLE_DIFF, numbers + READ_PATCH_BYTES, pair);
  // Git prints the two trees first. Everything before the patch is complete.
  const { raw, patch } = parseDiff(full.stdout.subarray(pair.length));
  const files = full.cut || patch.length > MAX_PATCH_BYTES ? null : filePatches(patch, raw);
  if (files === null) {
    const { counts } = parseDiff((await treeDiff(tree, NUMBERS, numbers, pair)).stdout.subarray(pair.length));
    return {
      raw,
      counts: raw.map(({ path }) => counts.get(path)),
      hunks: null,
      patch: full.cut ? null : patch,
    };
  }
  const isLarge = raw.length > MAX_HUNK_FILES;
  return { raw, counts: files.map(countOf), hunks: isLarge ? null : files.map(({ hunks }) => hunks), patch };
}

function countOf({ binary, hunks }: FilePatch): LineCount {
  if (binary) return { binary, linesAdded: 0, linesRemoved: 0 };
  const sum = (of: (hunk: Hunk) => number) => hunks.reduce((total, hunk) => total + of(hunk), 0);
  return {
    binary,
    linesAdded: sum(({ newLines }) => newLines),
    linesRemoved: sum(({ oldLines }) => oldLines),
  };
}

function withoutPatch(diff: Diff): Diff {
  return { ...diff, patch: null };
}

/** Bytes of a record besides paths and ids: modes, status, score, separators. */
const RECORD_BYTES = 80;

/** Returns an upper bound of the list's size with line counts; a rename takes as much as its two sides. */
function numbersBytes(changes: readonly RawChange[]): number {
  return changes.reduce(
    (sum, { path, oldOid, newOid }) => sum + RECORD_BYTES + oldOid.length + newOid.length + 2 * path.length,
    0,
  );
}

function toChange(raw: RawChange, count: LineCount | undefined, hunks: Hunk[]): Change {
  const submodule = isGitlink(raw);
  return {
    path: printPath(raw.path),
    oldPath: raw.oldPath === null ? null : printPath(raw.oldPath),
    kind: changeKind(raw),
    oldMode: raw.status === 'A' ? null : raw.oldMode,
    newMode: raw.status === 'D' ? null : raw.newMode,
    binary: count?.binary ?? false,
    linesAdded: submodule ? 0 : (count?.linesAdded ?? 0),
    linesRemoved: submodule ? 0 : (count?.linesRemoved ?? 0),
    hunks,
  };
}

/** Returns commits newest first; empty when HEAD stayed, went back, or is gone. */
async function commitsBetween(
  tree: WorkTree,
  before: string | null,
  after: string | null,
): Promise<AgentCommit[]> {
  if (after === null || before === after) return [];
  const range = before === null ? [after] : [after, `^${before}`];
  const options = [`--max-count=${MAX_COMMITS}`, '--encoding=UTF-8', '--format=%s'];
  const listed = await objectGit(tree, ['rev-list', ...options, ...range, '--']);
  const records = listed.stdout.toString('utf8').matchAll(/^commit ([0-9a-f]+)\n([^\n]*)\n/gm);
  return [...records].map(([, id = '', subject = '']) => ({ id, subject }));
}

/** Runs `git diff-tree` without an index, whose flags could make git read files instead of blobs and miss edits. */
export function treeDiff(
  tree: WorkTree,
  args: readonly string[],
  maxBytes?: number,
  input?: GitRequest['input'],
) {
  return objectGit(tree, treeDiffArgs(args), { maxBytes, input, env: withoutIndex(tree) });
}

const treeDiffArgs = (args: readonly string[]) => ['diff-tree', '-r', ...PLAIN_DIFF, ...args];

const withoutIndex = (tree: WorkTree) => ({ GIT_INDEX_FILE: join(privateFolder(tree), 'no-index') });

export async function patchBetween(
  tree: WorkTree,
  from: string,
  to: string,
  maxBytes: number,
): Promise<string> {
  if (maxBytes === 0 || from === to) return '';
  return wholeLines((await treeDiff(tree, [...WITH_RENAMES, '-p', from, to], maxBytes + 1)).stdout, maxBytes);
}

async function commitPatches(
  tree: WorkTree,
  tips: readonly (string | null)[],
  known: readonly (string | null)[],
  maxBytes: number,
): Promise<readonly { readonly commit: string; readonly patch: string }[]> {
  const before = new Set(known);
  const fresh = new Set(tips.filter((tip) => tip !== null && !before.has(tip)));
  if (fresh.size === 0) return [];
  const without = [...before].filter((one) => one !== null).map((one) => `^${one}`);
  const options = ['--ignore-missing', `--max-count=${MAX_COMMITS}`, '--stdin'];
  const input = `${[...fresh, ...without].join('\n')}\n`;
  const ids = (await objectGit(tree, ['rev-list', ...options], { input })).stdout;
  if (ids.length === 0) return [];
  // Each patch begins with its commit id on a line; diff lines never begin with a hex digit.
  const { stdout } = await treeDiff(tree, ['--no-renames', '-p', '-m', '--root', '--stdin'], maxBytes, ids);
  return wholeLines(stdout, maxBytes)
    .split(/^(?=[0-9a-f]{40,64}(?: |$))/m)
    .filter((one) => one !== '')
    .map((one) => ({ commit: /^[0-9a-f]+/.exec(one)?.[0] ?? '', patch: one.slice(one.indexOf('\n') + 1) }));
}

/** Returns new commits of these tips, oldest first, with message and patch. */
export async function describedCommits(
  tree: WorkTree,
  tips: readonly (string | null)[],
  known: readonly (string | null)[],
  patchBytes: number,
): Promise<CopyCommit[]> {
  const patches = await commitPatches(tree, tips, known, patchBytes);
  if (patches.length === 0) return [];
  const ids = `${patches.map(({ commit }) => commit).join('\n')}\n`;
  const shown = ['log', '--no-walk=unsorted', '-z', '--format=%H%x00%s%x00%b', '--stdin'];
  const fields = (await objectGit(tree, shown, { input: ids })).stdout.toString('utf8').split('\0');
  return patches
    .map(({ commit, patch }): CopyCommit => {
      const at = fields.indexOf(commit);
      return { id: commit, subject: fields[at + 1] ?? '', body: (fields[at + 2] ?? '').trim(), patch };
    })
    .toReversed();
}

export async function madeBetween(tree: WorkTree, before: string, after: string): Promise<readonly string[]> {
  if (before === after) return [];
  const { raw } = parseDiff(
    (await treeDiff(tree, ['-t', '--no-renames', '-z', '--raw', before, after])).stdout,
  );
  const made = raw.filter(({ status }) => status === 'A').map(({ path }) => printPath(path));
  const known = new Set(made);
  return made.filter((path) => !known.has(path.slice(0, Math.max(0, path.lastIndexOf('/')))));
}

function wholeLines(patch: Buffer, maxBytes: number): string {
  const end = patch.length <= maxBytes ? patch.length : patch.lastIndexOf(0x0a, maxBytes - 1) + 1;
  return patch.toString('utf8', 0, end);
}

/** Returns raw changes from a commit, tree or nothing (`null`) to a tree; a rename is a deletion and an addition. */
export async function changesFromHead(
  tree: WorkTree,
  head: string | null,
  to: string,
): Promise<readonly RawChange[]> {
  const from = head ?? emptyTree(to);
  if (from === to) return [];
  const known = await rawChanges(tree, from, to);
  if (known !== undefined) return known;
  return parseDiff((await treeDiff(tree, ['--no-renames', '-z', '--raw', from, to])).stdout).raw;
}
