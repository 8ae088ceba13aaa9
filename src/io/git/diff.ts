import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { AgentCommit, Change, ChangeSet, Hunk, Snapshot } from '../../domain/change-set.ts';
import { type BytePath, printPath } from './git-path.ts';
import type { Submodules } from './nested.ts';
import {
  changeKind,
  GITLINK,
  type LineCount,
  type ParsedDiff,
  parseDiff,
  parseHunks,
  type RawChange,
} from './parse-diff.ts';
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

/** What changed between two snapshots, with at most `patchBytes` of it as a unified diff for people. */
export async function diffSnapshots(
  tree: WorkTree,
  find: Submodules['find'],
  before: Snapshot,
  after: Snapshot,
  patchBytes: number,
): Promise<{ readonly changes: ChangeSet; readonly patch: string }> {
  const [{ changes, hunksOmitted, patch }, commits] = await Promise.all([
    diffTrees(tree, find, before.tree, after.tree),
    commitsBetween(tree, before.head, after.head),
  ]);
  const text =
    patch ?? (patchBytes > 0 ? await patchOf(tree, before.tree, after.tree, patchBytes) : Buffer.of());
  return {
    changes: { before, after, changes, commits, hunksOmitted },
    patch: cutAtLine(text, patchBytes).toString('utf8'),
  };
}

type TreeDiff = {
  readonly changes: Change[];
  readonly hunksOmitted: boolean;
  /** `null` when what was read is no patch for people: cut, or with names that git would have quoted. */
  readonly patch: Buffer | null;
};
const NO_DIFF: TreeDiff = { changes: [], hunksOmitted: false, patch: Buffer.of() };

async function diffTrees(
  tree: WorkTree,
  find: Submodules['find'],
  before: string,
  after: string,
): Promise<TreeDiff> {
  if (before === after) return NO_DIFF;
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
  const plain =
    hunks !== null && changes.every(({ path, oldPath }) => isPlain(path) && isPlain(oldPath ?? ''));
  return { changes, hunksOmitted, patch: plain ? parsed.patch : null };
}

/** What changed inside a submodule, as far as both its states are there. */
async function diffInside(submodule: WorkTree | null, raw: RawChange): Promise<TreeDiff> {
  if (submodule === null || !existsSync(submodule.gitDir)) return NO_DIFF;
  const side = (mode: string, oid: string) => (mode === GITLINK ? oid : emptyTree(oid));
  const before = side(raw.oldMode, raw.oldOid);
  const after = side(raw.newMode, raw.newOid);
  // The objects may be there when the work tree is gone.
  const store = { ...submodule, top: submodule.gitDir };
  const known = await objectGit(store, ['cat-file', '--batch-check'], { input: `${before}\n${after}\n` });
  if (known.stdout.includes(' missing')) return NO_DIFF;
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
  const full = await treeDiff(tree, [...numbers, '-p', before, after], request);
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

async function patchOf(tree: WorkTree, before: string, after: string, maxBytes: number): Promise<Buffer> {
  const { stdout } = await treeDiff(tree, [...WITH_RENAMES, '-p', before, after], { maxBytes: maxBytes + 1 });
  return stdout;
}

/** The unified diff between two trees, as much of it as fits in whole lines. */
export async function patchBetween(
  tree: WorkTree,
  from: string,
  to: string,
  maxBytes: number,
): Promise<string> {
  return cutAtLine(await patchOf(tree, from, to, maxBytes), maxBytes).toString('utf8');
}

/** The whole lines that fit. */
function cutAtLine(text: Buffer, maxBytes: number): Buffer {
  return text.length <= maxBytes ? text : text.subarray(0, text.lastIndexOf(0x0a, maxBytes - 1) + 1);
}

/** A name that git prints in a patch as it is. @see git-config(1), core.quotePath */
function isPlain(path: string): boolean {
  return /^[\x20-\x7e]*$/.test(path) && !/["\\]/.test(path);
}

/**
 * Raw changes from a commit or tree (HEAD mostly), or from nothing before the first commit, to a tree; renames as
 * deletion and addition.
 */
export async function changesFromHead(
  tree: WorkTree,
  head: string | null,
  to: string,
): Promise<readonly RawChange[]> {
  const from = head ?? emptyTree(to);
  return parseDiff((await treeDiff(tree, ['--no-renames', '-z', '--raw', from, to])).stdout).raw;
}
