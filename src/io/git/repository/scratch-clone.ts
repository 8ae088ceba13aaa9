import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { execa } from 'execa';
import { gitCall } from '../call/environment.ts';
import { runGit } from '../call/run-git.ts';

/** A larger work tree isn't copied, in kB. */
const MOST_KB = 2 * 1024 * 1024;

/** A repository with the files of another as they are, what git ignores of them included. */
export type ScratchClone = { readonly folder: string; readonly remove: () => void };

/**
 * Copies a work tree to where programs may write as they like.
 *
 * @returns A reason where it isn't copied.
 */
export async function scratchClone(
  root: string,
): Promise<
  { readonly ok: true; readonly clone: ScratchClone } | { readonly ok: false; readonly why: string }
> {
  const names = readdirSync(root).filter((name) => name !== '.git' && name !== '.ralph');
  const paths = names.map((name) => join(root, name));
  const base = mkdtempSync(join(tmpdir(), 'ralph-scratch-'));
  const remove = () => rmSync(base, { recursive: true, force: true, maxRetries: 3 });
  const folder = join(base, 'work');
  try {
    const { stdout } = await execa('du', ['-sk', root], { reject: false });
    if (Number.parseInt(stdout, 10) > MOST_KB) throw new Error('the work tree is larger than 2 GB');
    const git = (at: string, ...args: string[]) =>
      runGit(gitCall({ kind: 'question', folder: at }), args, { answers: [0, 1, 128] });
    const asked = await git(root, 'rev-parse', '--git-common-dir', 'HEAD');
    const [commonDir = '', head = ''] = asked.stdout.toString('utf8').split('\n');
    await git(base, 'init', '--quiet', folder);
    writeFileSync(join(folder, '.git/objects/info/alternates'), `${resolve(root, commonDir)}/objects\n`);
    if (paths.length > 0) await execa('cp', ['-a', '--', ...paths, folder]);
    // A repository without a commit has nothing to begin with.
    if (asked.code === 0) {
      await git(folder, 'update-ref', 'HEAD', head);
      await git(folder, 'reset', '--quiet');
    }
    return { ok: true, clone: { folder, remove } };
  } catch (error) {
    remove();
    const why = error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error);
    return { ok: false, why };
  }
}
