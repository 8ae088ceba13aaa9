import { readdirSync, readlinkSync, realpathSync, statSync } from 'node:fs';
import { dirname, extname, isAbsolute, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { lstatOrNull, readFileBytes, whyUnreadable } from 'ralph-kit/files/plain-file';
import { sha256 } from 'ralph-kit/files/sha256';
import { agentsReach } from 'ralph-kit/programs/start/agents-reach';
import { tryOr } from 'ralph-kit/try-or';
import { dependenciesIn, packageOf, scopeIn, specifiersIn, targetsOf } from './specifiers.ts';

/** A module's file, or a whole imported package, as it was read. */
export type ModulePart = {
  /** Relative to the repository when inside it. */
  readonly name: string;
  /** Hash of the file, or of a package's paths and contents. */
  readonly sha256: string;
  /** Absolute real paths. */
  readonly files: readonly { readonly path: string; readonly bytes: Buffer }[];
};

export type Modules = {
  /** Absolute paths by configured name. */
  readonly paths: ReadonlyMap<string, string>;
  /** Returns the module's file, then its imports; empty when unusable. */
  readonly partsOf: (name: string) => readonly ModulePart[];
  readonly parts: readonly ModulePart[];
  /** Links on the way to files, with absolute targets. */
  readonly links: ReadonlyMap<string, string>;
  readonly problems: readonly string[];
};

/** Limits of a module's imports, which are read into memory and copied for each run. */
const MOST_BYTES = 128 * 1024 * 1024;
const MOST_FILES = 20_000;
const SCRIPTS = new Set(['.js', '.mjs', '.cjs']);
/** Suffixes that `require()` tries. */
const ENDINGS = ['', '.js', '.json', '.node', '/index.js', '/index.json'];
/** Dependencies are separate packages. */
const NOT_OF_PACKAGE = new Set(['node_modules', '.git']);

/**
 * A file that a module needs: one that it imports, or a `package.json`. `scope`: that is read only for the fields that
 * decide how files are loaded.
 */
type Need = { readonly kind: 'file' | 'package' | 'scope'; readonly path: string };
type Read = { readonly part: ModulePart; readonly needs: readonly Need[] };

class Unusable extends Error {
  override readonly name = 'Unusable';
}

/**
 * Reads modules and their imports once, so that what was judged is what is loaded: each file of the repository, and
 * packages as a whole with their dependencies. Never throws.
 * @param names Relative to the repository, or absolute.
 */
export function readModules(names: readonly string[], root: string): Modules {
  const paths = new Map(names.map((name) => [name, resolve(root, name)]));
  const reader = openReader(root);
  const partsByModule = new Map<string, readonly ModulePart[]>();
  const problems: string[] = [];
  for (const [name, path] of paths) {
    try {
      partsByModule.set(name, reader.read(path));
    } catch (error) {
      const why = error instanceof Unusable ? error.message : `it can't be read: ${whyUnreadable(error)}`;
      problems.push(`${name}: ${why}`);
    }
  }
  const parts = [...reader.known.values()].map(({ part }) => part);
  return { paths, partsOf: (name) => partsByModule.get(name) ?? [], parts, links: reader.links, problems };
}

function openReader(root: string) {
  const cache = new Map<string, Read>();
  const links = new Map<string, string>();
  const total = { files: 0, bytes: 0 };

  const nameOf = (path: string) => {
    const below = relative(root, path);
    return below.startsWith('../') || isAbsolute(below) ? path : below;
  };

  const bytesOf = (path: string) => {
    const bytes = readFileBytes(path);
    total.files += 1;
    total.bytes += bytes.length;
    if (total.files > MOST_FILES || total.bytes > MOST_BYTES)
      throw new Unusable('it imports more than 128 MB, or 20,000 files');
    return { path, bytes };
  };

  function follow(path: string): string {
    const real = realpathSync(path);
    for (let at = path; at !== real; ) {
      const link = firstLink(at);
      if (link === null) break;
      const to = resolve(dirname(link), readlinkSync(link));
      links.set(link, to);
      at = join(to, relative(link, at));
    }
    return real;
  }

  function readFile(path: string): Read {
    const file = bytesOf(path);
    const scope = scopeAround(path);
    const source = SCRIPTS.has(extname(path)) ? file.bytes.toString('utf8') : '';
    const needs = specifiersIn(source).flatMap((specifier) => needOf(specifier, path, scope));
    const part = { name: nameOf(path), sha256: sha256(file.bytes), files: [file] };
    return { part, needs: scope === null ? needs : [{ kind: 'scope', path: scope.path }, ...needs] };
  }

  function readScope(path: string): Read {
    const file = bytesOf(path);
    const fields = scopeIn(file.bytes.toString('utf8'));
    const fieldNames = Object.keys(fields).join(', ');
    const name = fieldNames === '' ? nameOf(path) : `${nameOf(path)} (${fieldNames})`;
    return { part: { name, sha256: sha256(JSON.stringify(fields)), files: [file] }, needs: [] };
  }

  function readPackage(path: string): Read {
    const files = filesBelow(path).map(bytesOf);
    const lines = files.map((file) => `${sha256(file.bytes)} ${relative(path, file.path)}\n`);
    const own = files.find((file) => file.path === join(path, 'package.json'));
    const needs = dependenciesIn(own?.bytes.toString('utf8') ?? '').flatMap((name) => installed(name, path));
    return { part: { name: nameOf(path), sha256: sha256(lines.sort().join('')), files }, needs };
  }

  function needOf(specifier: string, from: string, scope: ReturnType<typeof scopeAround>): Need[] {
    const base = dirname(from);
    const path = specifier.replace(/(?<=.)[?#].*$/s, '');
    if (/^\.\.?\//.test(path))
      return fileAt(
        resolve(
          base,
          tryOr(path, () => decodeURIComponent(path)),
        ),
      );
    if (isAbsolute(path) || path.startsWith('file:')) {
      if (fileAt(isAbsolute(path) ? path : fileURLToPath(path)).length === 0) return [];
      throw new Unusable(`${nameOf(from)} imports ${specifier}: use a path that begins with ./ or ../`);
    }
    const targets = scope === null ? [] : targetsOf(path, scope.fields);
    if (scope === null || targets.length === 0) return installed(path, base);
    return targets.flatMap((target) =>
      target.startsWith('./') ? fileAt(join(dirname(scope.path), target)) : installed(target, base),
    );
  }

  function readNeed({ kind, path }: Need): Read {
    const where = agentsReach(path, '/');
    if (where !== null) throw new Unusable(`${nameOf(path)} lies ${where}, where agents can write`);
    return { file: readFile, scope: readScope, package: readPackage }[kind](path);
  }

  function read(module: string): ModulePart[] {
    const parts = new Map<string, ModulePart>();
    const todo: Need[] = [{ kind: 'file', path: module }];
    for (let need = todo.shift(); need !== undefined; need = todo.shift()) {
      const real = { ...need, path: follow(need.path) };
      const key = `${real.kind} ${real.path}`;
      if (parts.has(key)) continue;
      const one = cache.get(key) ?? readNeed(real);
      cache.set(key, one);
      parts.set(key, one.part);
      todo.push(...one.needs);
    }
    return [...parts.values()];
  }
  return { read, known: cache, links };
}

function scopeAround(
  path: string,
): { readonly path: string; readonly fields: Record<string, unknown> } | null {
  for (let at = dirname(path); ; at = dirname(at)) {
    const file = join(at, 'package.json');
    if (lstatOrNull(file) !== null)
      return { path: file, fields: scopeIn(readFileBytes(file).toString('utf8')) };
    if (at === dirname(at)) return null;
  }
}

function installed(specifier: string, base: string): Need[] {
  const name = packageOf(specifier);
  if (name === null) return [];
  for (let at = base; ; at = dirname(at)) {
    const path = join(at, 'node_modules', name);
    if (statSync(path, { throwIfNoEntry: false })?.isDirectory() === true) return [{ kind: 'package', path }];
    if (at === dirname(at)) return [];
  }
}

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return NOT_OF_PACKAGE.has(entry.name) ? [] : filesBelow(path);
    return entry.isFile() ? [path] : [];
  });
}

function fileAt(path: string): Need[] {
  const found = ENDINGS.map((ending) => `${path}${ending}`).find(
    (one) => statSync(one, { throwIfNoEntry: false })?.isFile() === true,
  );
  return found === undefined ? [] : [{ kind: 'file', path: found }];
}

/** Returns the topmost part of a path that is a link; `null` without one. */
function firstLink(path: string): string | null {
  const names = path.split('/');
  const ways = names.map((_, index) => names.slice(0, index + 1).join('/')).slice(1);
  return ways.find((way) => lstatOrNull(way)?.isSymbolicLink() === true) ?? null;
}
