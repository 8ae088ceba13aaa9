import { readdirSync } from 'node:fs';
import { tryOr } from 'ralph-kit/try-or';
import { objectGit } from '../call/git.ts';
import { type BytePath, bytePath } from '../call/git-path.ts';
import { absolute, type WorkTree } from '../call/work-tree.ts';

/** File name of a cargo build result: package or target name, then a hash. */
const MADE = /^(?:lib)?(.+?)-[0-9a-f]{16}(?:\.|$)/;
/** Folders of one cargo profile. `incremental` has only results of workspace packages. */
const PARTS = ['.fingerprint', 'build', 'deps'];

/**
 * Returns build results of third-party packages in a cargo folder. Own packages are left out: cargo goes by times
 * alone, and nothing of theirs is older than the tested commit.
 * @param index Decides which manifests are tracked.
 */
export async function ofOtherPackages(tree: WorkTree, index: string, target: BytePath): Promise<BytePath[]> {
  const namesIn = (path: string): string[] =>
    tryOr([], () =>
      readdirSync(absolute(tree, path as BytePath), { encoding: 'buffer' }).map((name) => bytePath(name)),
    );
  const inside = namesIn(target);
  // A profile is in `target` or in a folder for one platform.
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

/** Cargo writes `_` in file names for `-` in package names. */
function packageOf(name: string): string {
  return (MADE.exec(name)?.[1] ?? '').replaceAll('-', '_');
}

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
