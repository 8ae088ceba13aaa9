import { existsSync, realpathSync, statSync } from 'node:fs';
import { copiedFrom, type FoundWorkTree, findWorkTree, openGit } from '../../git/index.ts';
import { type Failure, failure } from '../result.ts';
import { stateHomeProblem } from './state-home.ts';

type Found = { readonly ok: true } & FoundWorkTree;

/** Finds the work tree around a folder, without starting git if that is possible. */
export async function workTreeAt(cwd: string): Promise<Found | Failure> {
  const folder = realFolder(cwd);
  if (!folder.ok) return folder;
  const problem = stateHomeProblem();
  if (problem !== null) return failure(problem, 'Point it to a folder that you can write, or unset it.');
  const found = findWorkTree(folder.path, process.env);
  return found === null ? openGitAt(folder.path) : { ok: true, ...found };
}

/**
 * Opens a work tree by git.
 * @param folder Absolute path without symbolic links.
 */
export async function openGitAt(folder: string) {
  const opened = await openGit({ root: folder });
  return opened.ok ? opened : failure(opened.message, opened.next ?? 'ralph doctor');
}

export function realFolder(cwd: string): { readonly ok: true; readonly path: string } | Failure {
  if (process.platform === 'win32') {
    return failure(
      'ralph does not run on Windows itself.',
      'Run it inside WSL, on a clone that lives there.',
    );
  }
  // Node converts bytes that aren't UTF-8 to U+FFFD, so the real path is unknown.
  if (/[\n\ufffd]/.test(cwd)) {
    return failure(
      `The path ${JSON.stringify(cwd)} has a line break, or letters that aren't UTF-8.`,
      'Rename the folder.',
    );
  }
  if (!existsSync(cwd) || !statSync(cwd).isDirectory()) {
    const what = existsSync(cwd) ? `${cwd} isn't a folder.` : `There is no folder ${cwd}.`;
    return failure(what, 'Name an existing folder with --cwd.');
  }
  const path = realpathSync(cwd);
  // A command that is called in an agents' copy is about the checkout that was copied.
  return { ok: true, path: copiedFrom(path) ?? path };
}
