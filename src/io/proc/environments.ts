import { dirname, isAbsolute, join, resolve } from 'node:path';
import type { ImportingEnvironment } from '../../domain/ports.ts';
import { isAtOrBelow, nameOf } from '../../lib/paths.ts';
import { namesIn, plainText } from '../files/plain-file.ts';
import { realPathOf } from '../files/real-path.ts';
import type { Environment } from '../programs/start/resolve-executable.ts';

/** Below a home folder: where tools keep the environments of many projects. */
const OF_TOOLS = [
  ...['.virtualenvs', '.local/share/virtualenvs', '.cache/pypoetry/virtualenvs', '.pyenv/versions'],
  ...['miniconda3/envs', 'miniforge3/envs', 'mambaforge/envs', 'anaconda3/envs'],
];
/** Of a file that says what can be imported. */
const MOST_BYTES = 1_000_000;

/**
 * Environments of Python outside of a repository by which programs import code that lies in it, as `pip install -e` makes them:
 * those that variables, PATH, the commands and links of the repository name, and those that tools keep in the home folder.
 */
export function environmentsThatImport(
  root: string,
  env: Environment,
  commands: readonly string[],
): ImportingEnvironment[] {
  const home = env.HOME ?? '/nonexistent';
  const words = commands.flatMap((command) => command.split(/[\s"'`;:&|()=<>]+/));
  const named = words
    .filter((word) => word.includes('/'))
    .map((word) => resolve(root, word.replace(/^(?:~|\$HOME|\$\{HOME\})(?=\/)/, home)));
  const kept = [...OF_TOOLS.map((name) => join(home, name)), env.WORKON_HOME ?? ''].filter(isAbsolute);
  const places = [
    ...[env.VIRTUAL_ENV ?? '', env.CONDA_PREFIX ?? ''].filter(isAbsolute),
    ...(env.PATH ?? '').split(':').filter(isAbsolute).map(dirname),
    // The folder itself, that of its programs, or one of these.
    ...named.flatMap((path) => [path, dirname(path), dirname(dirname(path))]),
    ...[root, ...kept].flatMap((folder) => namesIn(folder).map((name) => join(folder, name))),
  ];
  const folders = new Set(places.map((path) => realPathOf(path)).filter((path) => !isAtOrBelow(path, root)));
  return [...folders].flatMap((folder) =>
    [...new Set(packagesIn(folder).map((path) => realPathOf(path)))].flatMap((packages) =>
      namesIn(packages).flatMap((name) => {
        const file = join(packages, name);
        const imports = importedBy(file).filter((path) => isAtOrBelow(path, root));
        return imports.length === 0 ? [] : { folder, file, imports: [...new Set(imports)] };
      }),
    ),
  );
}

/** Folders of installed packages, in an environment. */
function packagesIn(folder: string): string[] {
  return ['lib', 'lib64', 'local/lib'].flatMap((lib) =>
    namesIn(join(folder, lib))
      .filter((name) => name.startsWith('python'))
      .flatMap((name) => ['site-packages', 'dist-packages'].map((one) => join(folder, lib, name, one))),
  );
}

/** Folders that a file among installed packages adds to those in which modules are looked for. Absolute, links followed. */
function importedBy(file: string): string[] {
  const name = nameOf(file);
  if (name.endsWith('.pth'))
    return (plainText(file, MOST_BYTES) ?? '')
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line !== '' && !/^(?:#|import[ \t])/.test(line))
      .map((line) => realPathOf(resolve(dirname(file), line)));
  // What finds modules one by one has their paths in a table.
  if (!/editable.*\.py$/.test(name)) return [];
  const paths = (plainText(file, MOST_BYTES) ?? '').matchAll(/(['"])(\/.*?)\1/g);
  return [...paths].map(([, , path = '']) => dirname(realPathOf(path)));
}
