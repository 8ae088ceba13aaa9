import { mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { readFileBytes } from 'ralph-kit/files/plain-file';
import { configText, lastValue, type Setting, settingsToPin } from 'ralph-kit/formats/git-config';
import { tryOr } from 'ralph-kit/try-or';
import { ignoreLine } from '../call/git-path.ts';
import { setting, settingsOf } from '../call/settings.ts';
import { type HooksHow, leftFoldersIn, ownFolderIn, type WorkTree } from '../call/work-tree.ts';
import { readHookFiles } from './changed-hook.ts';
import { HOOKS, hooksFolder, isHook } from './hooks.ts';
import { keepPrograms } from './kept-programs.ts';
import { SHOWN_BY_CONTENT } from './shown-by-content.ts';

/** Folders that a view copies or makes itself, or that belong to one work tree. */
const NOT_LINKED = new Set(['info', 'hooks', 'ralph']);
/** Default for a repository whose hooks aren't run. */
const NO_HOW: HooksHow = { box: () => null, runs: () => ({ files: [], scripts: [] }) };
/** Linked even when the target doesn't exist yet. */
const ALWAYS_LINKED = ['packed-refs', 'shallow', 'logs'];
/**
 * Gives a work tree a view of its repository with today's settings (yours and the system's, too), ignore rules,
 * attributes and hooks, whatever is written to the repository later. Objects and refs are the real ones.
 * @param place Folder outside the repository for the view.
 * @param isTrusted False for a repository found while agents run; its settings name no programs.
 * @see docs/adr/0061-work-copies.md
 */
export async function pinView(
  tree: WorkTree,
  place: string,
  isTrusted: boolean,
  how: HooksHow = NO_HOW,
): Promise<WorkTree> {
  const settings = settingsToPin(await settingsOf(tree), isTrusted);
  const file = async (key: string, name: string) =>
    read(lastValue(settings, key) === null ? userFile(name) : ((await setting(tree, 'path', key)) ?? ''));
  for (const left of leftFoldersIn(place, 'view')) rmSync(left, { recursive: true, force: true });
  const folder = ownFolderIn(place, 'view');
  mkdirSync(join(folder, 'info'), { recursive: true, mode: 0o700 });
  linkRest(tree.commonDir, folder);
  const filtered = keepPrograms(settings, tree.top, join(folder, 'programs'));
  const info = (name: string) => read(join(tree.commonDir, 'info', name));
  const own = tree.ownFolder === null ? '' : `\n${ignoreLine(tree.ownFolder)}/\n`;
  const attributes = { own: info('attributes'), user: await file('core.attributesfile', 'attributes') };
  const copies: Readonly<Record<string, Buffer>> = {
    'info/exclude': info('exclude'),
    'info/attributes': Buffer.concat([Buffer.from(SHOWN_BY_CONTENT), attributes.own]),
    excludes: Buffer.concat([await file('core.excludesfile', 'ignore'), Buffer.from(own, 'latin1')]),
    attributes: attributes.user,
    config: Buffer.from(configText([...filtered, ...placesIn(folder, tree, settings)]), 'latin1'),
  };
  for (const [name, bytes] of Object.entries(copies)) writeFileSync(join(folder, name), bytes);
  const hooksFrom = await hooksFolder(tree);
  const hooks = new Set(HOOKS.filter((name) => isHook(join(hooksFrom, name))));
  const hookFiles = readHookFiles(tree.top, hooksFrom, how);
  return { ...tree, view: { folder, hooks, hooksFrom, hookFiles, how } };
}

/** Folders made later aren't linked; git makes none itself when `logs` exists. */
function linkRest(commonDir: string, folder: string): void {
  mkdirSync(join(commonDir, 'logs'), { recursive: true });
  const folders = readdirSync(commonDir, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !NOT_LINKED.has(entry.name))
    .map(({ name }) => name);
  for (const name of new Set([...ALWAYS_LINKED, ...folders]))
    symlinkSync(join(commonDir, name), join(folder, name));
}

/** Returns settings for the copied files and for Git LFS, which would look for its objects in the view. */
function placesIn(folder: string, tree: WorkTree, settings: readonly Setting[]) {
  const bytes = (path: string) => Buffer.from(path).toString('latin1');
  const storage = Buffer.from(lastValue(settings, 'lfs.storage') ?? 'lfs', 'latin1').toString('utf8');
  return [
    { key: 'core.excludesfile', value: bytes(join(folder, 'excludes')) },
    { key: 'core.attributesfile', value: bytes(join(folder, 'attributes')) },
    { key: 'lfs.storage', value: bytes(resolve(tree.commonDir, storage)) },
  ];
}

/**
 * Returns the path of a file for all repositories of a user, such as its ignore rules. @see gitignore(5) and
 * gitattributes(5) for the default paths.
 */
function userFile(name: string): string {
  const folder = process.env.XDG_CONFIG_HOME || join(process.env.HOME ?? homedir(), '.config');
  return join(folder, 'git', name);
}

function read(file: string): Buffer {
  return tryOr(Buffer.of(), () => readFileBytes(file));
}
