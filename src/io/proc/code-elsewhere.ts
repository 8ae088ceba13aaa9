import { dirname, isAbsolute, join, relative, resolve } from 'node:path';
import { builtFrom, languageOf } from 'ralph-ecosystems';
import { lstatOrNull, namesIn, plainText } from 'ralph-kit/files/plain-file';
import { realPathOf } from 'ralph-kit/files/real-path';
import { parseJson } from 'ralph-kit/parse-json';
import { fitsPattern, isAtOrBelow, isBelow, nameOf } from 'ralph-kit/paths';
import type { Environment } from 'ralph-kit/programs/start/resolve-executable';
import * as z from 'zod/mini';
import type { CodeElsewhere } from '../../domain/ports.ts';

/** Folders below home where tools keep environments of many projects. */
const OF_TOOLS = [
  ...['.virtualenvs', '.local/share/virtualenvs', '.cache/pypoetry/virtualenvs', '.pyenv/versions'],
  ...['miniconda3/envs', 'miniforge3/envs', 'mambaforge/envs', 'anaconda3/envs'],
];
/** Read limit of a file that lists import paths, in bytes. */
const MOST_BYTES = 1_000_000;
/** Number of files named per place. */
const MOST_FILES = 500;

type Project = {
  /** Absolute real path of the checkout. */
  readonly root: string;
  readonly env: Environment;
  readonly commands: readonly string[];
  /** Relative paths of production code. */
  readonly code: readonly string[];
  /** Relative paths of `package.json` and `composer.json` files. */
  readonly manifests: readonly string[];
  /** Ignored paths and patterns that clean copies get from the checkout. */
  readonly keptPatterns: readonly string[];
};

/** Finds code that gates might use outside the copy: environments, packages installed as copies, old builds. */
export function codeElsewhere(project: Project): CodeElsewhere[] {
  return [...inPython(project), ...amongPackages(project), ...built(project)];
}

function inPython(project: Project): CodeElsewhere[] {
  const { root } = project;
  return environmentsFor(project).flatMap((folder) =>
    [...new Set(packagesIn(folder).map((path) => realPathOf(path)))].flatMap((packages) => [
      ...(isAtOrBelow(folder, root) ? [] : importing(packages, root)),
      ...copiesIn(packages, project),
    ]),
  );
}

/** Returns environments in variables, PATH, commands, the repository and the tools' home folders; real paths. */
function environmentsFor({ root, env, commands }: Project): string[] {
  const home = env.HOME ?? '/nonexistent';
  const words = commands.flatMap((command) => command.split(/[\s"'`;:&|()=<>]+/));
  const named = words
    .filter((word) => word.includes('/'))
    .map((word) => resolve(root, word.replace(/^(?:~|\$HOME|\$\{HOME\})(?=\/)/, home)));
  const kept = [...OF_TOOLS.map((name) => join(home, name)), env.WORKON_HOME ?? ''].filter(isAbsolute);
  const places = [
    ...[env.VIRTUAL_ENV ?? '', env.CONDA_PREFIX ?? ''].filter(isAbsolute),
    ...(env.PATH ?? '').split(':').filter(isAbsolute).map(dirname),
    // A path may name an environment, its programs' folder, or a program.
    ...named.flatMap((path) => [path, dirname(path), dirname(dirname(path))]),
    ...[root, ...kept].flatMap((folder) => namesIn(folder).map((name) => join(folder, name))),
  ];
  return [...new Set(places.map((path) => realPathOf(path)))];
}

function packagesIn(folder: string): string[] {
  return ['lib', 'lib64', 'local/lib'].flatMap((lib) =>
    namesIn(join(folder, lib))
      .filter((name) => name.startsWith('python'))
      .flatMap((name) => ['site-packages', 'dist-packages'].map((one) => join(folder, lib, name, one))),
  );
}

/** Returns files among installed packages that import a repository's code. */
function importing(packages: string, root: string): CodeElsewhere[] {
  return namesIn(packages).flatMap((name) => {
    const file = join(packages, name);
    const imports = importedBy(file).filter((path) => isAtOrBelow(path, root));
    return imports.length === 0
      ? []
      : { kind: 'imports', file, imports: [...new Set(imports)], sharedFiles: [] };
  });
}

/** Returns absolute real folders that a file adds to the import path. */
function importedBy(file: string): string[] {
  const name = nameOf(file);
  if (name.endsWith('.pth'))
    return (plainText(file, MOST_BYTES) ?? '')
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line !== '' && !/^(?:#|import[ \t])/.test(line))
      .map((line) => realPathOf(resolve(dirname(file), line)));
  // Finders of single modules list their paths in a table.
  if (!/editable.*\.py$/.test(name)) return [];
  const paths = (plainText(file, MOST_BYTES) ?? '').matchAll(/(['"])(\/.*?)\1/g);
  return [...paths].map(([, , path = '']) => dirname(realPathOf(path)));
}

/** Returns installed modules named like the project's: the project was installed as a copy or a link. */
function copiesIn(packages: string, { root, code }: Project): CodeElsewhere[] {
  const found = new Map<string, { imports: Set<string>; sharedFiles: string[]; isLink: boolean }>();
  const tops = new Set(namesIn(packages));
  for (const path of code.filter((one) => one.endsWith('.py'))) {
    const parts = path.split('/');
    for (const at of parts.keys()) {
      const [top = ''] = parts.slice(at);
      const module = parts.slice(at).join('/');
      if (!tops.has(top) || module === '__init__.py') continue;
      const real = realPathOf(join(packages, module));
      if (lstatOrNull(real)?.isFile() !== true) continue;
      const isOwn = isBelow(real, root);
      const isTracked = isOwn && real === join(root, path);
      // The copy has this link, too.
      if (isTracked && isBelow(packages, root)) continue;
      const seen = found.get(top) ?? { imports: new Set(), sharedFiles: [], isLink: isTracked };
      seen.imports.add(join(root, ...parts.slice(0, at)));
      if (isOwn && !isTracked && seen.sharedFiles.length < MOST_FILES)
        seen.sharedFiles.push(relative(root, real));
      found.set(top, seen);
    }
  }
  return [...found].map(([top, { imports, sharedFiles, isLink }]) => {
    const kind = isLink ? 'imports' : 'installed';
    return { kind, file: join(packages, top), imports: [...imports], sharedFiles };
  });
}

const Named = z.object({ name: z.string() });

/** Returns project packages that npm or composer installed as copies. */
function amongPackages({ root, manifests }: Project): CodeElsewhere[] {
  const places = manifests.map((path) => ({
    name: parseJson(plainText(join(root, path), MOST_BYTES), Named)?.name ?? null,
    into: nameOf(path) === 'package.json' ? 'node_modules' : 'vendor',
    folder: join(root, dirname(path)),
  }));
  const files = places.flatMap(({ name, into }) =>
    name === null ? [] : places.flatMap((one) => (one.into === into ? join(one.folder, into, name) : [])),
  );
  return [...new Set(files)].flatMap((file): CodeElsewhere | [] => {
    const real = realPathOf(file);
    if (!isBelow(real, root) || !/\/(?:node_modules|vendor)\//.test(real)) return [];
    const sharedFiles = codeBelow(real).map((path) => relative(root, path));
    return sharedFiles.length === 0 ? [] : { kind: 'installed', file, imports: [], sharedFiles };
  });
}

/** Returns kept files that may be built from the project's code, judged by name or manifest. */
function built({ root, code, manifests, keptPatterns }: Project): CodeElsewhere[] {
  const stems = new Set(code.map(stemOf));
  const texts = manifests.map((path) => plainText(join(root, path), MOST_BYTES) ?? '');
  const isBuilt = (path: string) =>
    stems.has(builtFrom(path) ?? stemOf(path)) ||
    texts.some((text) => text.includes(`${nameOf(dirname(path))}/${nameOf(path)}`));
  return keptPatterns.flatMap((pattern) =>
    placesOf(pattern, root).flatMap((file): CodeElsewhere | [] => {
      const sharedFiles = (lstatOrNull(file)?.isFile() === true ? [file] : codeBelow(file)).filter(isBuilt);
      return sharedFiles.length === 0
        ? []
        : { kind: 'built', file, imports: [], sharedFiles: sharedFiles.map((path) => relative(root, path)) };
    }),
  );
}

function stemOf(path: string): string {
  return nameOf(path).replace(/\..*$/, '');
}

function placesOf(pattern: string, root: string): string[] {
  let places = [root];
  for (const part of pattern.split('/').filter(Boolean))
    places = places.flatMap((folder) =>
      (/[*?[]/.test(part) ? namesIn(folder).filter((name) => fitsPattern(name, part)) : [part]).map((name) =>
        join(folder, name),
      ),
    );
  return places.filter((path) => lstatOrNull(path) !== null);
}

const COMPILED = /\.(?:class|pyc|beam)$/;

function codeBelow(folder: string, found: string[] = []): string[] {
  if (lstatOrNull(folder)?.isDirectory() !== true) return found;
  for (const name of namesIn(folder)) {
    if (found.length >= MOST_FILES) break;
    const path = join(folder, name);
    const seen = lstatOrNull(path);
    if (seen?.isDirectory() === true && name !== 'node_modules') codeBelow(path, found);
    else if (seen?.isFile() === true && (languageOf(name).name !== 'data' || COMPILED.test(name)))
      found.push(path);
  }
  return found;
}
