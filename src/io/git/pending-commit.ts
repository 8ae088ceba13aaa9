import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { changesFromHead } from './diff.ts';
import { setEntries } from './index-state.ts';
import type { RawChange } from './parse-diff.ts';
import { parseIndexEntries } from './parse-status.ts';
import { objectGit, privateFolder, revision, type WorkTree } from './work-tree.ts';

/** HEAD before a commit, kept until the person's index has followed it; `none` before the first commit. */
const fileOf = (tree: WorkTree) => join(privateFolder(tree), 'commit-pending');
const NONE = 'none';

export function notePending(tree: WorkTree, head: string | null): void {
  writeFileSync(fileOf(tree), head ?? NONE);
}

export function clearPending(tree: WorkTree): void {
  rmSync(fileOf(tree), { force: true });
}

/**
 * Ends what a killed loop began: its commit was made and the person's index has not followed, so that the committed
 * files look like changes that the person staged. Only entries that are still as they were before the commit follow
 * it; when HEAD has moved on since, nothing is touched.
 */
export async function settlePending(tree: WorkTree): Promise<void> {
  let before: string;
  try {
    before = readFileSync(fileOf(tree), 'utf8').trim();
  } catch {
    return;
  }
  const now = await revision(tree, 'HEAD');
  const parent = await revision(tree, 'HEAD^');
  if (now !== null && now !== before && (parent ?? NONE) === before) {
    const made = await changesFromHead(tree, before === NONE ? null : before, now);
    const entries = await personsEntries(tree);
    const behind = made.filter((change) => isAsBefore(change, entries.get(change.path)));
    await setEntries(
      (args, input) => objectGit(tree, args, input === undefined ? {} : { input }),
      behind.map(({ newMode, newOid, path }) => ({ mode: newMode, oid: newOid, path })),
    );
  }
  clearPending(tree);
}

async function personsEntries(tree: WorkTree): Promise<Map<string, { mode: string; oid: string }>> {
  const listed = parseIndexEntries((await objectGit(tree, ['ls-files', '-v', '-s', '-z'])).stdout);
  return new Map(listed.map((entry) => [entry.path, entry]));
}

function isAsBefore(change: RawChange, entry: { mode: string; oid: string } | undefined): boolean {
  if (change.status === 'A') return entry === undefined;
  return entry?.oid === change.oldOid && entry.mode === change.oldMode;
}
