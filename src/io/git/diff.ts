import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { AgentCommit, Change, ChangeSet, Hunk, Snapshot } from '../../domain/change-set.ts';
import { type BytePath, printPath } from './git-path.ts';
import {
  changeKind,
  GITLINK,
  type LineCount,
  type ParsedDiff,
  parseDiff,
  parseHunks,
  type RawChange,
} from './parse-diff.ts';
import type { Snapshots } from './snapshot.ts';
import { emptyTree, objectGit, privateFolder, type WorkTree } from './work-tree.ts';

/** Beyond these, hunks are left out: evidence in so large a change is judged by path. */
const MAX_HUNK_FILES = 2000;
const MAX_PATCH_BYTES = 5_000_000;
/** Pairs of files that are compared for a rename; beyond it only equal content is. */
const RENAME_LIMIT = 1000;
/** Commits of one attempt that are listed. */
const MAX_COMMITS = 1000;

const PLAIN_DIFF = [
  '--no-ext-diff',
  '--no-textconv',
  '--no-color',
  '--ignore-submodules=none',
  '--submodule=short',
];
const WITH_RENAMES = ['-M', `-l${RENAME_LIMIT}`];

export async function diffSnapshots(
  tree: WorkTree,
  find: Snapshots['submodules']['find'],
  before: Snapshot,
  after: Snapshot,
): Promise<ChangeSet> {
  const [{ changes, hunksOmitted }, commits] = await Promise.all([
    diffTrees(tree, find, before.tree, after.tree),
    commitsBetween(tree, before.head, after.head),
  ]);
  return { before, after, changes, commits, hunksOmitted };
}

type TreeDiff = { readonly changes: Change[]; readonly hunksOmitted: boolean };

async function diffTrees(
  tree: WorkTree,
  find: Snapshots['submodules']['find'],
  before: string,
  after: string,
): Promise<TreeDiff> {
  if (before === after) return { changes: [], hunksOmitted: false };
  const { parsed, hunks } = await readDiff(tree, before, after);
  const changes: Change[] = [];
  let hunksOmitted = hunks === null;
  for (const [index, raw] of parsed.raw.entries()) {
    changes.push(toChange(raw, parsed.counts.get(raw.path), hunks?.[index] ?? []));
    if (raw.oldMode !== GITLINK && raw.newMode !== GITLINK) continue;
    const inner = await diffInside(find(raw.path), raw);
    changes.push(...inner.changes.map((change) => below(raw.path, change)));
    hunksOmitted ||= inner.hunksOmitted;
  }
  return { changes, hunksOmitted };
}

/** What changed inside a submodule, as far as both its states are there. */
async function diffInside(submodule: WorkTree | null, raw: RawChange): Promise<TreeDiff> {
  if (submodule === null || !existsSync(submodule.gitDir)) return { changes: [], hunksOmitted: false };
  const side = (mode: string, oid: string) => (mode === GITLINK ? oid : emptyTree(oid));
  const before = side(raw.oldMode, raw.oldOid);
  const after = side(raw.newMode, raw.newOid);
  // The objects may be there when the work tree is gone.
  const store = { ...submodule, top: submodule.gitDir };
  const known = await objectGit(store, ['cat-file', '--batch-check'], { input: `${before}\n${after}\n` });
  if (known.stdout.includes(' missing')) return { changes: [], hunksOmitted: false };
  return diffTrees(store, () => null, before, after);
}

function below(folder: BytePath, change: Change): Change {
  const prefix = printPath(folder);
  const oldPath = change.oldPath === null ? null : `${prefix}/${change.oldPath}`;
  return { ...change, path: `${prefix}/${change.path}`, oldPath };
}

async function readDiff(
  tree: WorkTree,
  before: string,
  after: string,
): Promise<{ readonly parsed: ParsedDiff; readonly hunks: Hunk[][] | null }> {
  const numbers = [...WITH_RENAMES, '-z', '--raw', '--numstat'];
  const request = { maxBytes: MAX_PATCH_BYTES };
  const full = await treeDiff(
    tree,
    [...numbers, '-p', '-U0', '--inter-hunk-context=0', before, after],
    request,
  );
  if (full.cut) {
    return { parsed: parseDiff((await treeDiff(tree, [...numbers, before, after])).stdout), hunks: null };
  }
  const parsed = parseDiff(full.stdout);
  const few = parsed.raw.length <= MAX_HUNK_FILES;
  return { parsed, hunks: few ? parseHunks(parsed.patch, parsed.raw) : null };
}

function toChange(raw: RawChange, count: LineCount | undefined, hunks: Hunk[]): Change {
  const submodule = raw.oldMode === GITLINK || raw.newMode === GITLINK;
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

/** Newest first; none when HEAD stayed, went back, or is gone. */
async function commitsBetween(
  tree: WorkTree,
  before: string | null,
  after: string | null,
): Promise<AgentCommit[]> {
  if (after === null || before === after) return [];
  const range = before === null ? [after] : [after, `^${before}`];
  const listed = await objectGit(tree, [
    'rev-list',
    `--max-count=${MAX_COMMITS}`,
    '--encoding=UTF-8',
    '--format=%s',
    ...range,
    '--',
  ]);
  const lines = listed.stdout.toString('utf8').split('\n');
  const commits: AgentCommit[] = [];
  for (let at = 0; at + 1 < lines.length; at += 2) {
    commits.push({ id: (lines[at] ?? '').replace(/^commit /, ''), subject: lines[at + 1] ?? '' });
  }
  return commits;
}

/**
 * `git diff-tree` of objects alone. Without an index: where git believes by the person's index that a file still
 * holds a blob, it reads the file instead, and an edit it overlooked would falsify the diff.
 */
function treeDiff(tree: WorkTree, args: readonly string[], request: { readonly maxBytes?: number } = {}) {
  const env = { GIT_INDEX_FILE: join(privateFolder(tree), 'no-index') };
  return objectGit(tree, ['diff-tree', '-r', ...PLAIN_DIFF, ...args], { ...request, env });
}

/** A unified diff, cut at the end of the last line that fits into `maxBytes`. */
export async function patchText(
  tree: WorkTree,
  before: Snapshot,
  after: Snapshot,
  maxBytes: number,
): Promise<string> {
  if (before.tree === after.tree) return '';
  const args = [...WITH_RENAMES, '-p', before.tree, after.tree];
  const { stdout, cut } = await treeDiff(tree, args, { maxBytes });
  return (cut ? stdout.subarray(0, stdout.lastIndexOf(0x0a) + 1) : stdout).toString('utf8');
}

/** Raw changes from HEAD, or from nothing before the first commit, to a tree; renames as deletion and addition. */
export async function changesFromHead(
  tree: WorkTree,
  head: string | null,
  to: string,
): Promise<readonly RawChange[]> {
  const from = head ?? emptyTree(to);
  return parseDiff((await treeDiff(tree, ['--no-renames', '-z', '--raw', from, to])).stdout).raw;
}
