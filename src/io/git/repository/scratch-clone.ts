import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runShort } from '../../programs/start/start-program.ts';
import { ownRepository } from './own-repository.ts';

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
    const { stdout } = await runShort('du', ['-sk', root], { reject: false });
    if (Number.parseInt(stdout, 10) > MOST_KB) throw new Error('the work tree is larger than 2 GB');
    await ownRepository(root, folder);
    if (paths.length > 0) await runShort('cp', ['-a', '--', ...paths, folder], {});
    return { ok: true, clone: { folder, remove } };
  } catch (error) {
    remove();
    const why = error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error);
    return { ok: false, why };
  }
}
