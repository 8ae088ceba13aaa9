import { readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { GitError } from '../../../domain/ports.ts';
import { lstatOrNull } from '../../store/files/plain-file.ts';
import { objectGit } from '../call/git.ts';
import { privateFolder, stampOf, type WorkTree } from '../repository/work-tree.ts';

/** What steers git in a repository, beside refs and objects; all absolute. */
export type GitFiles = {
  /** Files, whether they exist or not. */
  readonly files: readonly string[];
  /** Folders in which every file counts. */
  readonly folders: readonly string[];
};

/** Git itself writes these from what is protected. */
const DERIVED = new Set(['refs', 'commit-pending']);

/** Finds those of a repository; git is asked where its settings lead, again when they changed. */
export function gitFilesOf(tree: WorkTree): () => Promise<GitFiles> {
  const { top, gitDir, commonDir } = tree;
  const own = [...new Set([gitDir, commonDir])];
  let known: { readonly stamp: string; readonly settings: Settings } | null = null;
  return async () => {
    const files = [
      join(top, '.git'),
      join(commonDir, 'config'),
      ...own.flatMap((folder) => [join(folder, 'config.worktree'), join(folder, 'commondir')]),
      join(gitDir, 'gitdir'),
      ...['alternates', 'http-alternates'].map((name) => join(commonDir, 'objects', 'info', name)),
    ];
    const stamp = [...files, ...(known?.settings.included ?? [])].map(stampOf).join('\n');
    if (known?.stamp !== stamp) {
      const settings = await readSettings(tree);
      known = { stamp: [...files, ...settings.included].map(stampOf).join('\n'), settings };
    }
    const { included, hooks } = known.settings;
    return {
      files: [...new Set([...files, ...included])],
      folders: [
        ...new Set([join(commonDir, 'hooks'), ...hooks, ...own.map((folder) => join(folder, 'info'))]),
        privateFolder(tree),
      ],
    };
  };
}

/** The files in a folder of `gitFilesOf`; none where it isn't a folder. */
export function filesIn(folder: string): string[] {
  if (lstatOrNull(folder)?.isDirectory() !== true) return [];
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => !entry.isDirectory() && !DERIVED.has(entry.name) && !entry.name.endsWith('.lock'))
    .map((entry) => join(folder, entry.name));
}

type Settings = {
  /** Files in the repository that settings include. */
  readonly included: readonly string[];
  /** The folder of hooks, where it lies in a git folder. */
  readonly hooks: readonly string[];
};

async function readSettings(tree: WorkTree): Promise<Settings> {
  const { top, gitDir, commonDir } = tree;
  const isWithin = (path: string, folders: readonly string[]) =>
    folders.some((folder) => path.startsWith(`${folder}/`));
  let listed: Buffer;
  try {
    listed = (await objectGit(tree, ['config', '--list', '--show-origin', '-z'])).stdout;
  } catch (error) {
    // Settings that git can't read include nothing; every call of git says what is wrong with them.
    if (error instanceof GitError) return { included: [], hooks: [] };
    throw error;
  }
  const parts = listed.toString('utf8').split('\0');
  const included = new Set<string>();
  let hooks = '';
  for (let at = 0; at + 1 < parts.length; at += 2) {
    const [origin = '', entry = ''] = [parts[at], parts[at + 1]];
    if (!origin.startsWith('file:')) continue;
    const path = resolve(top, origin.slice('file:'.length));
    if (isWithin(path, [top, gitDir, commonDir])) included.add(path);
    if (entry.startsWith('core.hookspath\n')) hooks = resolve(top, entry.slice('core.hookspath\n'.length));
  }
  return { included: [...included], hooks: isWithin(hooks, [gitDir, commonDir]) ? [hooks] : [] };
}
