import { existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { lastValue } from '../../box/config-text.ts';
import { readFileBytes } from '../../files/plain-file.ts';
import { ownProgram } from '../../programs/start/own-program.ts';
import { indexGit } from '../call/git.ts';
import { type BytePath, foldersAbove, nulList } from '../call/git-path.ts';
import { setting, settingsOf } from '../call/settings.ts';
import { absolute, lstatQuietly, type WorkTree } from '../call/work-tree.ts';
import { type Door, doorOf } from '../objects/door.ts';
import { readLoose } from '../objects/loose-objects.ts';
import type { RawChange } from '../objects/raw-change.ts';
import { SHOWN_BY_CONTENT } from '../view/shown-by-content.ts';

/** More files than this git writes faster. */
const MOST_HERE = 100;

/**
 * Writes files of a tree as git would check them out, below an empty folder: line ends, filters and links as settings and attributes say.
 *
 * @param to A commit or a tree, which has them.
 * @param files Changes that leave something at their path.
 * @param scratch A folder for an index that is needed on the way.
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

/** Writes them without git where each is what its object holds; false: nothing was written. */
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
  // In a pack, or so large that git reads it beside this process.
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

/** Names that git refuses for a file, or might, on one system or another: it is asked. */
const ODD_NAME = /^\.?$|^\.\.$|^\.git[\s.]*$|^git~\d|^\.gitmodules$/i;

/** Whether it is a file or a link by a name that every git takes. */
function isPlain({ path, newMode }: RawChange): boolean {
  return (
    FILE_MODES.includes(newMode) &&
    /^[\x20-\x7e]+$/.test(path) &&
    !/[\\:]/.test(path) &&
    !path.split('/').some((name) => ODD_NAME.test(name))
  );
}

/** Whether settings or attributes may give one of them another content than its object has. */
async function isConverted(
  tree: WorkTree,
  { objects }: Door,
  to: string,
  files: readonly RawChange[],
): Promise<boolean> {
  // It may be `input` as well, which is no truth value.
  const lineEnds = lastValue(await settingsOf(tree), 'core.autocrlf') ?? 'false';
  const isSet = async (key: string, value: string) => (await setting(tree, 'bool', key)) === value;
  if (lineEnds !== 'false' || (await isSet('core.symlinks', 'false'))) return true;
  if (await isSet('core.ignorecase', 'true')) return true;
  if (sharedAttributes(tree).some(existsSync) || hasOwnAttributes(tree)) return true;
  const folders = new Set(['', ...files.flatMap(({ path }) => foldersAbove(path).map((one) => `${one}/`))]);
  const inFolders = [...folders].map((one) => `${one}.gitattributes` as BytePath);
  // Git goes by the file in the work tree, and by the tree where there is none.
  if (inFolders.some((path) => lstatQuietly(absolute(tree, path)) !== null)) return true;
  const root = (await objects.commit(to))?.tree ?? to;
  for (const path of inFolders) if ((await objects.entryAt(root, path)) !== null) return true;
  return false;
}

/** Where a git has attributes for all users of the machine: beside its programs, wherever it was installed. */
function sharedAttributes({ top }: WorkTree): string[] {
  const program = ownProgram('git', top);
  const perInstall =
    program.kind === 'missing' ? [] : [resolve(dirname(program.path), '../etc/gitattributes')];
  return ['/etc/gitattributes', ...perInstall];
}

/** Attributes of the repository alone, or of yours, beside those that every view has. */
function hasOwnAttributes({ view }: WorkTree): boolean {
  if (view === null) return true;
  const text = (name: string) => readFileBytes(join(view.folder, name)).toString('latin1');
  return text('info/attributes') !== SHOWN_BY_CONTENT || text('attributes').trim() !== '';
}
