import { readdirSync } from 'node:fs';
import { tryOr } from '../../../lib/try-or.ts';
import { objectGit } from '../call/git.ts';
import { type BytePath, bytePath } from '../call/git-path.ts';
import { absolute, type WorkTree } from '../call/work-tree.ts';

/** What cargo made of one package, by the name of that or of something in it; the rest is a hash. */
const MADE = /^(?:lib)?(.+?)-[0-9a-f]{16}(?:\.|$)/;
/** Folders of one profile. `incremental` holds what is made of the packages of a workspace alone. */
const PARTS = ['.fingerprint', 'build', 'deps'];

/**
 * What cargo built of packages that aren't the repository's, in one of its folders: of the repository's own nothing is older than the
 * commit that is tested, as cargo goes by times alone.
 *
 * @param index By which manifests are tracked.
 */
export async function ofOtherPackages(tree: WorkTree, index: string, target: BytePath): Promise<BytePath[]> {
  const namesIn = (path: string): string[] =>
    tryOr([], () =>
      readdirSync(absolute(tree, path as BytePath), { encoding: 'buffer' }).map((name) => bytePath(name)),
    );
  const inside = namesIn(target);
  // A profile lies in it, or in a folder of the machine that it is built for.
  const profiles = inside
    .flatMap((name) => [name, ...namesIn(`${target}/${name}`).map((below) => `${name}/${below}`)])
    .filter((name) => namesIn(`${target}/${name}`).includes('.fingerprint'));
  if (profiles.length === 0) return [];
  const own = await ownNames(tree, index);
  const made = profiles.flatMap((profile) =>
    PARTS.flatMap((part) =>
      namesIn(`${target}/${profile}/${part}`)
        .filter((name) => !own.has(packageOf(name)))
        .map((name) => `${target}/${profile}/${part}/${name}` as BytePath),
    ),
  );
  const marks = ['CACHEDIR.TAG', '.rustc_info.json'].filter((name) => inside.includes(name));
  return [...marks.map((name) => `${target}/${name}` as BytePath), ...made];
}

/** Files of code are named with `_` where the package has `-`. */
function packageOf(name: string): string {
  return (MADE.exec(name)?.[1] ?? '').replaceAll('-', '_');
}

/** Names of the repository's packages and of what is in them; what has no name of a package is nobody else's. */
async function ownNames(tree: WorkTree, index: string): Promise<ReadonlySet<string>> {
  const args = [
    'grep',
    '-h',
    '--cached',
    '-E',
    '^[[:space:]]*name[[:space:]]*=',
    '--',
    'Cargo.toml',
    '*/Cargo.toml',
  ];
  const env = { GIT_INDEX_FILE: index, GIT_LITERAL_PATHSPECS: '0' };
  const { stdout } = await objectGit(tree, args, { env, answers: [1] });
  const names = stdout.toString('latin1').matchAll(/=\s*["']([^"']+)["']/g);
  return new Set(['', ...[...names].map(([, name = '']) => name.replaceAll('-', '_'))]);
}
