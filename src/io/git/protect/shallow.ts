import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { changeOf, type KeptFile } from '../../protect/kept-file.ts';
import type { Vault } from '../../protect/vault.ts';
import { replaceFile } from '../../store/files/atomic-file.ts';
import { readPlainFile } from '../../store/files/plain-file.ts';
import { objectGit } from '../call/git.ts';
import type { WorkTree } from '../repository/work-tree.ts';

/** Names the commits at which history ends, as their parents aren't here. Fetching may change it. */
export function shallowPath({ commonDir }: WorkTree): string {
  return join(commonDir, 'shallow');
}

/**
 * Brings back history that is here and that this file hides: git wouldn't show it, and would throw it away in time.
 * Only lines whose commit lacks a parent stay.
 *
 * @returns whether something was put back.
 */
export async function restoreShallow(tree: WorkTree, before: KeptFile, vault: Vault): Promise<boolean> {
  if (changeOf(before) === null) return false;
  const { was } = before;
  const then = was.kind === 'file' && was.sha256 !== null ? vault.read(was.sha256) : Buffer.alloc(0);
  const file = readPlainFile(before.path);
  const now = file.kind === 'file' ? linesOf(file.bytes) : [];
  const wanted: string[] = [];
  for (const id of new Set([...linesOf(then), ...now])) if (await lacksParent(tree, id)) wanted.push(id);
  if (file.kind === 'file' && wanted.toSorted().join() === now.toSorted().join()) return false;
  rmSync(before.path, { recursive: true, force: true });
  if (wanted.length > 0) replaceFile(before.path, wanted.map((id) => `${id}\n`).join(''));
  return true;
}

function linesOf(bytes: Buffer): string[] {
  return bytes.toString('utf8').match(/^[0-9a-f]{40,64}$/gm) ?? [];
}

/** As the commit itself says: the file isn't asked. */
async function lacksParent(tree: WorkTree, id: string): Promise<boolean> {
  const commit = await objectGit(tree, ['cat-file', 'commit', id], { answers: [128] });
  for (const [, parent = ''] of commit.stdout
    .toString('latin1')
    .split('\n\n')[0]
    ?.matchAll(/^parent ([0-9a-f]+)$/gm) ?? [])
    if ((await objectGit(tree, ['cat-file', '-e', parent], { answers: [1, 128] })).code !== 0) return true;
  return false;
}
