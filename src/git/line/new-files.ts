import { existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { readFileBytes } from 'ralph-kit/files/plain-file';
import { lastValue } from 'ralph-kit/formats/git-config';
import { ownProgram } from 'ralph-kit/programs/start/own-program';
import { indexGit } from '../call/git.ts';
import { type BytePath, foldersAbove, nulList } from '../call/git-path.ts';
import { setting, settingsOf } from '../call/settings.ts';
import { absolute, tryLstat, type WorkTree } from '../call/work-tree.ts';
import { type Door, doorOf } from '../objects/door.ts';
import { readLoose } from '../objects/loose-objects.ts';
import type { RawChange } from '../objects/tree-entries.ts';
import { SHOWN_BY_CONTENT } from '../view/shown-by-content.ts';

/** Git writes more files than this faster. */
const MOST_HERE = 100;

/**
 * Writes a tree's files below an empty folder as git checks them out: line ends, filters and links per settings and
 * attributes.
 * @param to Commit or tree.
 * @param scratch Folder for a temporary index.
 * @throws GitError
 */
export async function writeNewFiles(
  tree: WorkTree,
  to: string,
  files: readonly RawChange[],
  folder: string,
  scratch: string,
): Promise<void> {
  if (files.length === 0 || (await writeHere(tree, to, files, folder))) return;
  const git = indexGit({ kind: 'passing-index', tree, index: join(scratch, 'index') });
  await git(['read-tree', to]);
  const paths = nulList(files.map(({ path }) => path));
  await git(['checkout-index', '-q', '-z', `--prefix=${folder}/`, '--stdin'], paths);
}

/** Writes the files without git when each equals its object; returns false when nothing was written. */
async function writeHere(
  tree: WorkTree,
  to: string,
  files: readonly RawChange[],
  folder: string,
): Promise<boolean> {
  const door = await doorOf(tree);
  if (door === null || files.length > MOST_HERE || !files.every(isPlain)) return false;
  if (await isConverted(tree, door, to, files)) return false;
  const objects = join(tree.commonDir, 'objects');
  const contents = files.map(({ newOid }) => readLoose(objects, newOid, door.format.objects)?.content);
  // The object is in a pack, or so large that git reads it faster.
  if (contents.includes(undefined)) return false;
  for (const [index, { path, newMode }] of files.entries()) {
    const [at, content = ''] = [join(folder, path), contents[index]];
    mkdirSync(dirname(at), { recursive: true });
    if (newMode === LINK) symlinkSync(content, at);
    else writeFileSync(at, content, { mode: newMode === PROGRAM ? 0o777 : 0o666, flag: 'wx' });
  }
  return true;
}

const LINK = '120000';
const PROGRAM = '100755';
const FILE_MODES: readonly string[] = ['100644', PROGRAM, LINK];

/** Git refuses these names on some systems. */
const ODD_NAME = /^\.?$|^\.\.$|^\.git[\s.]*$|^git~\d|^\.gitmodules$/i;

function isPlain({ path, newMode }: RawChange): boolean {
  return (
    FILE_MODES.includes(newMode) &&
    /^[\x20-\x7e]+$/.test(path) &&
    !/[\\:]/.test(path) &&
    !path.split('/').some((name) => ODD_NAME.test(name))
  );
}

async function isConverted(
  tree: WorkTree,
  { objects }: Door,
  to: string,
  files: readonly RawChange[],
): Promise<boolean> {
  // The setting may also be `input`, which isn't a truth value.
  const lineEnds = lastValue(await settingsOf(tree), 'core.autocrlf') ?? 'false';
  const isSet = async (key: string, value: string) => (await setting(tree, 'bool', key)) === value;
  if (lineEnds !== 'false' || (await isSet('core.symlinks', 'false'))) return true;
  if (await isSet('core.ignorecase', 'true')) return true;
  if (sharedAttributes(tree).some(existsSync) || hasOwnAttributes(tree)) return true;
  const folders = new Set(['', ...files.flatMap(({ path }) => foldersAbove(path).map((one) => `${one}/`))]);
  const inFolders = [...folders].map((one) => `${one}.gitattributes` as BytePath);
  // Git uses the file in the work tree, or the tree's when missing.
  if (inFolders.some((path) => tryLstat(absolute(tree, path)) !== null)) return true;
  const root = (await objects.commit(to))?.tree ?? to;
  for (const path of inFolders) if ((await objects.entryAt(root, path)) !== null) return true;
  return false;
}

/** Returns attributes files for all users; git reads them beside its programs. */
function sharedAttributes({ top }: WorkTree): string[] {
  const program = ownProgram('git', top);
  const perInstall =
    program.kind === 'missing' ? [] : [resolve(dirname(program.path), '../etc/gitattributes')];
  return ['/etc/gitattributes', ...perInstall];
}

function hasOwnAttributes({ view }: WorkTree): boolean {
  if (view === null) return true;
  const text = (name: string) => readFileBytes(join(view.folder, name)).toString('latin1');
  return text('info/attributes') !== SHOWN_BY_CONTENT || text('attributes').trim() !== '';
}
