import {
  constants,
  copyFileSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
} from 'node:fs';
import { dirname, join, sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import * as z from 'zod/mini';
import { keepNewest } from '../../io/files/keep-newest.ts';
import { workTreeTops } from '../../io/git/index.ts';
import { sha256 } from '../../io/ids.ts';
import { packageTop } from '../../io/package-top.ts';
import { agentsReach } from '../../io/proc/index.ts';
import { type Failure, failure } from '../result.ts';
import { FLEET_ADDRESS } from './fleet-address.ts';
import { stateHomeOf } from './state-home.ts';
import { workTreeAt } from './work-tree.ts';

/** What ralph loads of its package. */
const LOADED = ['bin', 'dist', 'templates', 'package.json'];
/** The one of now, with the packages of a fleet or without, and those that runs which began before an update still load from. */
const KEPT = 4;

/** Carries the command out with the program of the copy. */
type OwnCopy = { readonly ok: true; readonly run: () => Promise<void> };

/**
 * A copy of ralph itself in its state home, where agents could rewrite it while it runs: in the repository (a dev dependency), in a
 * cache, or by a second name of its files, as pnpm gives them. `null`: this one runs.
 *
 * @param cwd Where the command works.
 */
export async function ownCopy(cwd: string): Promise<OwnCopy | Failure | null> {
  const own = packageTop();
  const found = await workTreeAt(cwd);
  const main = join('dist', 'cli', 'main.js');
  const built = lstatSync(join(own, main), { throwIfNoEntry: false });
  if (built === undefined || !found.ok) return null;
  const isInTree = [found.top, ...workTreeTops(found)].some((top) => own.startsWith(`${top}${sep}`));
  const isShared = built.nlink > 1;
  if (!isInTree && !isShared && agentsReach(own, cwd) === null) return null;
  try {
    const copy = copyOf(own, join(stateHomeOf(found.commonDir), 'program'));
    return {
      ok: true,
      run: async () => {
        process.argv[1] = join(copy, 'bin', 'ralph.js');
        // The copy takes it out of the environment in its turn.
        const { name, url } = FLEET_ADDRESS;
        if (url !== '') process.env[name] = url;
        await import(pathToFileURL(join(copy, main)).href);
      },
    };
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return failure(`ralph lies where agents can write (${own}), and can't be copied from there: ${why}`);
  }
}

/** Makes the copy where there is none of these files as they are. @throws The Node error */
function copyOf(own: string, place: string): string {
  // They are thousands of files, which most commands never load.
  const installed = FLEET_ADDRESS.url === '' ? [] : installedPackages(own);
  const packages = [...installed].flatMap(([to, from]) =>
    // What it needs has a place of its own.
    readdirSync(from)
      .filter((name) => name !== 'node_modules')
      .flatMap((name) => filesAt(from, name))
      .map((name) => [join(to, name), join(from, name)] as const),
  );
  const files = new Map([
    ...LOADED.flatMap((name) => filesAt(own, name)).map((name) => [name, join(own, name)] as const),
    ...packages,
  ]);
  const stamps = [...files].map(([name, from]) => {
    const { size, mtimeNs, ino } = lstatSync(from, { bigint: true });
    return `${name} ${size} ${mtimeNs} ${ino}`;
  });
  const copy = join(place, sha256(stamps.join('\n')).slice(0, 16));
  if (lstatSync(copy, { throwIfNoEntry: false }) !== undefined) return copy;
  keepNewest(place, KEPT - 1);
  const made = `${copy}.${process.pid}`;
  for (const [name, from] of files) {
    mkdirSync(dirname(join(made, name)), { recursive: true, mode: 0o700 });
    copyFileSync(from, join(made, name), constants.COPYFILE_FICLONE);
  }
  try {
    renameSync(made, copy);
  } catch (error) {
    // Another ralph made it this moment.
    rmSync(made, { recursive: true, force: true });
    if (lstatSync(copy, { throwIfNoEntry: false }) === undefined) throw error;
  }
  return copy;
}

/** The packages that ralph loads where they are installed beside it, with all that they need: folders, by where the copy has them. */
function installedPackages(own: string): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  const add = (name: string, from: string, parent: string): void => {
    const folder = packageAt(name, from);
    // What is optional isn't always there.
    if (folder === null) return;
    const nearest = [join(parent, 'node_modules', name), join('node_modules', name)];
    const known = nearest.find((to) => found.has(to));
    if (known !== undefined && found.get(known) === folder) return;
    // Another version than that of the others lies below who needs it.
    const to = known === undefined ? join('node_modules', name) : join(parent, 'node_modules', name);
    found.set(to, folder);
    for (const needed of neededBy(folder)) add(needed, folder, to);
  };
  add('ralph-fleet', own, '.');
  return found;
}

/** Where a package is found from a folder, without links; `null`: it isn't installed. */
function packageAt(name: string, from: string): string | null {
  for (let at = from; ; at = dirname(at)) {
    const folder = join(at, 'node_modules', name);
    if (existsSync(join(folder, 'package.json'))) return realpathSync(folder);
    if (at === dirname(at)) return null;
  }
}

function neededBy(folder: string): string[] {
  const text = readFileSync(join(folder, 'package.json'), 'utf8');
  const { dependencies, optionalDependencies, peerDependencies } = Manifest.parse(JSON.parse(text));
  return Object.keys({ ...peerDependencies, ...optionalDependencies, ...dependencies });
}

const Needed = z.optional(z.record(z.string(), z.string()));
const Manifest = z.object({
  ...{ dependencies: Needed, optionalDependencies: Needed, peerDependencies: Needed },
});

function filesAt(own: string, name: string): string[] {
  const stat = lstatSync(join(own, name), { throwIfNoEntry: false });
  if (stat === undefined) return [];
  if (!stat.isDirectory()) return [name];
  return readdirSync(join(own, name)).flatMap((one) => filesAt(own, join(name, one)));
}
