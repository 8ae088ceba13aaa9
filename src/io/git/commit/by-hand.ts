import type { Snapshot } from '../../../domain/change-set.ts';
import type { HeadEdit } from '../../../domain/ports.ts';
import { shellQuoteBytes } from '../../../lib/shell-quote.ts';
import { revision } from '../call/git.ts';
import { type BytePath, parsePath, pathBytes } from '../call/git-path.ts';
import { changesFromHead } from '../diff/diff.ts';
import type { Snapshots } from '../snapshot/snapshot.ts';
import { committable } from './committable.ts';
import { editHead, isEditAlone } from './edited-file.ts';

/** The shell command with which the user makes a commit that ralph didn't; `null`: there is nothing to commit. */
export async function commitByHand(
  snapshots: Snapshots,
  snapshot: Snapshot,
  paths: readonly string[],
  message: string,
  edit: HeadEdit | null,
): Promise<string | null> {
  const { tree } = snapshots;
  const head = await revision(tree, 'HEAD');
  const wanted = new Set(paths.map(parsePath));
  const differ = (await changesFromHead(tree, head, snapshot.tree)).filter(({ path }) => wanted.has(path));
  const changes = await committable(snapshots, differ);
  const edited = await editHead(tree, head, edit);
  const isClean = edited !== null && (await isEditAlone(tree, edited));
  const present = changes.filter(({ status }) => status !== 'D').map(({ path }) => path);
  const all = [...changes.map(({ path }) => path), ...(isClean ? [edited.path] : [])];
  if (all.length === 0) return null;
  // Names are names, whatever characters are in them; `--` keeps those with a dash from being options.
  const where = process.cwd() === tree.top ? '' : ` -C ${shellQuoteBytes(Buffer.from(tree.top))}`;
  const git = `git${where}${all.some(isMagic) ? ' --literal-pathspecs' : ''}`;
  const words = (list: readonly BytePath[]) => list.map((path) => shellQuoteBytes(pathBytes(path))).join(' ');
  const commit = `${git} commit -m ${shellQuoteBytes(Buffer.from(message))} -- ${words(all)}`;
  return present.length === 0 ? commit : `${git} add -- ${words(present)} && ${commit}`;
}

/** Git takes such a name for a pattern. */
function isMagic(path: BytePath): boolean {
  return /^:|[*?[\\]/.test(path);
}
