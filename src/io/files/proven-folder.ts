import {
  closeSync,
  constants,
  existsSync,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  type Stats,
} from 'node:fs';
import { join, relative, sep } from 'node:path';
import { lstatOrNull, whatStandsAt } from './plain-file.ts';
import { refuseReplaced } from './same-folder.ts';
import { isSystemError, PlaceError } from './store-error.ts';

/** Folders with this name are ralph's own, and agents can reach them. */
const OWN = '.ralph';
const FOLDER = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW;

/**
 * Does something in a folder of ralph's that an agent can reach: from the repository on, each folder on the way is a
 * real one, no link, and belongs to you or to the owner of the repository. On Linux the folder is held open meanwhile
 * and its place named by that, so that nothing put in the way in this moment is followed either. Other folders are
 * taken as they are.
 *
 * @param work Gets the place: what it opens there must not follow links itself.
 * @param mode Permission bits for folders that are missing; without it they are an error.
 * @throws PlaceError naming what is in the way; the Node error for all else.
 */
export function inProvenFolder<T>(folder: string, work: (place: string) => T, mode?: number): T {
  const { top, names } = splitAtOwn(folder);
  if (names.length === 0) return inFolder(folder, work, mode);
  return inProvenPath(top, names, work, mode, (stat) => refuseReplaced(top, stat));
}

function inProvenPath<T>(
  top: string,
  names: readonly string[],
  work: (place: string) => T,
  mode: number | undefined,
  proveTop: (stat: Stats) => void = () => undefined,
): T {
  const way = holdsDescriptors() ? inHeldFolder : inCheckedFolder;
  return way(top, names, work, mode, proveTop);
}

/** Makes a folder of ralph's for you alone, with the folders between, and proves each of them from `top` on. */
export function makeProvenFolder(top: string, folder: string): void {
  const names = relative(top, folder).split(sep);
  inProvenPath(top, names, () => undefined, 0o700);
}

/** The path of the repository, and the names from the last `.ralph` on; none where the path has no such part. */
function splitAtOwn(folder: string): { top: string; names: readonly string[] } {
  const parts = folder.split(sep);
  const at = parts.lastIndexOf(OWN);
  return at < 1
    ? { top: folder, names: [] }
    : { top: join(sep, ...parts.slice(0, at)), names: parts.slice(at) };
}

function inFolder<T>(folder: string, work: (place: string) => T, mode: number | undefined): T {
  try {
    return work(folder);
  } catch (error) {
    if (mode === undefined || (error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    mkdirSync(folder, { recursive: true, mode });
    return work(folder);
  }
}

let known: boolean | undefined;

/** Linux, with `/proc` mounted: a path below a descriptor leads into the folder that was opened, whatever its name is now. */
function holdsDescriptors(): boolean {
  known ??= process.platform === 'linux' && existsSync('/proc/self/fd');
  return known;
}

function inHeldFolder<T>(
  top: string,
  names: readonly string[],
  work: (place: string) => T,
  mode: number | undefined,
  proveTop: (stat: Stats) => void,
): T {
  let held = openSync(top, constants.O_RDONLY | constants.O_DIRECTORY);
  let reached = top;
  try {
    const stat = fstatSync(held);
    const { uid } = stat;
    proveTop(stat);
    for (const name of names) {
      reached = join(reached, name);
      const next = enter(`${placeOf(held)}/${name}`, reached, mode);
      closeSync(held);
      held = next;
      refuseForeign(fstatSync(held), uid, reached);
    }
    return work(placeOf(held));
  } catch (error) {
    throw withPath(error, placeOf(held), reached);
  } finally {
    closeSync(held);
  }
}

const placeOf = (held: number) => `/proc/self/fd/${held}`;

function enter(path: string, shown: string, mode: number | undefined): number {
  try {
    return openSync(path, FOLDER);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' && mode !== undefined) {
      makeFolder(path, mode);
      return openSync(path, FOLDER);
    }
    if (code === 'ENOTDIR' || code === 'ELOOP') throw inTheWay(shown);
    throw error;
  }
}

/** Where nothing can be held, each part is checked before. */
function inCheckedFolder<T>(
  top: string,
  names: readonly string[],
  work: (place: string) => T,
  mode: number | undefined,
  proveTop: (stat: Stats) => void,
): T {
  const stat = lstatSync(top);
  const { uid } = stat;
  proveTop(stat);
  let reached = top;
  for (const name of names) {
    reached = join(reached, name);
    if (mode !== undefined && lstatOrNull(reached) === null) makeFolder(reached, mode);
    const found = lstatSync(reached);
    if (!found.isDirectory()) throw inTheWay(reached);
    refuseForeign(found, uid, reached);
  }
  return work(reached);
}

/** Another process may make it in the same moment. */
function makeFolder(path: string, mode: number): void {
  try {
    mkdirSync(path, mode);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}

function inTheWay(path: string): PlaceError {
  return new PlaceError(
    `${path} is ${whatStandsAt(path)}, and ralph needs a folder of its own there. Move it away, then run the command again.`,
  );
}

function refuseForeign({ uid }: Stats, owner: number, path: string): void {
  if (uid === owner || uid === process.getuid?.()) return;
  throw new PlaceError(
    `${path} belongs to another user (${uid}), so ralph writes nothing there. Make it yours (chown) or move it away, then run the command again.`,
  );
}

/** Errors name the folder as you know it. */
function withPath(error: unknown, place: string, path: string): unknown {
  if (!isSystemError(error)) return error;
  const named = (text: string) => text.replaceAll(place, path);
  if (error.path !== undefined) error.path = named(error.path);
  error.message = named(error.message);
  return error;
}
