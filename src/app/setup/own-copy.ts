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
import { keepNewest } from 'ralph-kit/files/keep-newest';
import { sha256 } from 'ralph-kit/files/sha256';
import { agentsReach } from 'ralph-kit/programs/start/agents-reach';
import * as z from 'zod/mini';
import { workTreeTops } from '../../git/index.ts';
import { packageTop } from '../../io/package-top.ts';
import { type Failure, failure } from '../result.ts';
import { returnChatSecrets } from './chat-secrets.ts';
import { FLEET_ADDRESS } from './fleet-address.ts';
import { stateHomeOf } from './state-home.ts';
import { workTreeAt } from './work-tree.ts';

const LOADED = ['bin', 'dist', 'templates', 'package.json'];
/**
 * Number of copies that are kept: the current one with and without fleet packages, and earlier ones for runs that began
 * before an update.
 */
const KEPT = 4;

type OwnCopy = { readonly ok: true; readonly run: () => Promise<void> };

/**
 * Copies ralph into its state home if agents could change its files: in the repository around `cwd` (as a dev
 * dependency), in a cache, or through hard links, as pnpm makes them. Returns `null` if no copy is needed.
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
        // The copy reads its secrets from the environment, and removes them again.
        const { name, url } = FLEET_ADDRESS;
        if (url !== '') process.env[name] = url;
        returnChatSecrets();
        await import(pathToFileURL(join(copy, main)).href);
      },
    };
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return failure(
      `ralph lies where agents can write (${own}), and can't be copied from there: ${why}`,
      'ralph doctor',
    );
  }
}

/** Makes a copy unless one with exactly these files exists. Returns its path. @throws The Node error */
function copyOf(own: string, place: string): string {
  // Packages for fleets have thousands of files that most commands never load, so they are only copied with an address.
  const installed = FLEET_ADDRESS.url === '' ? [] : installedPackages(own);
  const packages = [...installed].flatMap(([to, from]) =>
    // Nested packages in node_modules are copied to places of their own.
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
  const temporary = `${copy}.${process.pid}`;
  for (const [name, from] of files) {
    mkdirSync(dirname(join(temporary, name)), { recursive: true, mode: 0o700 });
    copyFileSync(from, join(temporary, name), constants.COPYFILE_FICLONE);
  }
  try {
    renameSync(temporary, copy);
  } catch (error) {
    // Another process may have made the same copy at the same time.
    rmSync(temporary, { recursive: true, force: true });
    if (lstatSync(copy, { throwIfNoEntry: false }) === undefined) throw error;
  }
  return copy;
}

/** Returns folders of installed optional packages with all of their dependencies, by path in the copy. */
function installedPackages(own: string): ReadonlyMap<string, string> {
  const packages = new Map<string, string>();
  const add = (name: string, from: string, parent: string): void => {
    const folder = packageAt(name, from);
    // An optional dependency may be missing.
    if (folder === null) return;
    const nearest = [join(parent, 'node_modules', name), join('node_modules', name)];
    const known = nearest.find((to) => packages.has(to));
    if (known !== undefined && packages.get(known) === folder) return;
    // A second version of a package is placed below the package that needs it.
    const to = known === undefined ? join('node_modules', name) : join(parent, 'node_modules', name);
    packages.set(to, folder);
    for (const needed of neededBy(folder)) add(needed, folder, to);
  };
  add('ralph-fleet', own, '.');
  return packages;
}

/** Returns the real path of a package as found from a folder; `null`: not installed. */
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
  dependencies: Needed,
  optionalDependencies: Needed,
  peerDependencies: Needed,
});

function filesAt(own: string, name: string): string[] {
  const stat = lstatSync(join(own, name), { throwIfNoEntry: false });
  if (stat === undefined) return [];
  if (!stat.isDirectory()) return [name];
  return readdirSync(join(own, name)).flatMap((one) => filesAt(own, join(name, one)));
}
