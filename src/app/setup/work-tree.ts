import { existsSync, realpathSync, statSync } from 'node:fs';
import { copiedFrom, type FoundWorkTree, findWorkTree, openGit } from '../../io/git/index.ts';
import { type Failure, failure } from '../result.ts';
import { stateHomeProblem } from './state-home.ts';

type Found = { readonly ok: true } & FoundWorkTree;

/** The work tree around a folder, found without starting git where that can be. */
export async function workTreeAt(cwd: string): Promise<Found | Failure> {
  const folder = realFolder(cwd);
  if (!folder.ok) return folder;
  const problem = stateHomeProblem();
  if (problem !== null) return failure(problem, 'Point it to a folder that you can write, or unset it.');
  const found = findWorkTree(folder.path, process.env);
  return found === null ? openGitAt(folder.path) : { ok: true, ...found };
}

/** The same by git itself, ready to be worked with. The folder is a real, absolute path. */
export async function openGitAt(folder: string) {
  const opened = await openGit({ root: folder });
  return opened.ok ? opened : failure(opened.message, opened.next);
}

export function realFolder(cwd: string): { readonly ok: true; readonly path: string } | Failure {
  if (process.platform === 'win32') {
    return failure(
      'ralph does not run on Windows itself.',
      'Run it inside WSL, on a clone that lives there.',
    );
  }
  // A byte that isn't UTF-8 has become this letter by now.
  if (/[\n\ufffd]/.test(cwd)) {
    return failure(
      `The path ${JSON.stringify(cwd)} has a line break, or letters that aren't UTF-8.`,
      'Rename the folder.',
    );
  }
  if (!existsSync(cwd) || !statSync(cwd).isDirectory()) {
    return failure(`There is no folder ${cwd}.`, 'Name an existing folder with --cwd.');
  }
  const path = realpathSync(cwd);
  // What is called in a copy is about its checkout.
  return { ok: true, path: copiedFrom(path) ?? path };
}
