import type { Names } from './exported.ts';
import { goNames } from './go/exported.ts';
import { javascriptNames } from './node/exported.ts';
import { pythonNames } from './python/exported.ts';
import { rustNames } from './rust/exported.ts';

const READERS: readonly (readonly [RegExp, (path: string, text: string) => Names])[] = [
  [/\.[cm]?[jt]sx?$/, javascriptNames],
  [/\.pyi?$/, pythonNames],
  [/\.go$/, goNames],
  [/\.rs$/, rustNames],
];

/** Returns the reader for a file's language; `null`: none exists. */
export function nameReader(path: string): ((path: string, text: string) => Names) | null {
  return READERS.find(([pattern]) => pattern.test(path))?.[1] ?? null;
}

/** Returns the files that an import may mean, likeliest first; `null`: the module is outside the repository. */
export function moduleFiles(from: string, name: string): readonly string[] | null {
  return /\.pyi?$/.test(from) ? pythonFiles(from, name) : javascriptFiles(from, name);
}

const ENDINGS = ['.ts', '.tsx', '.mts', '.cts', '.js', '.jsx', '.mjs', '.cjs', '.d.ts'];

function javascriptFiles(from: string, name: string): readonly string[] | null {
  if (!/^\.{1,2}(?:\/|$)/.test(name)) return null;
  const base = joined(folderOf(from), name);
  if (base === null) return null;
  const source = base.replace(/\.([cm]?)js(x?)$/, '.$1ts$2');
  return [base, source, ...ENDINGS.map((end) => base + end), ...ENDINGS.map((end) => `${base}/index${end}`)];
}

function pythonFiles(from: string, name: string): readonly string[] | null {
  const [, dots = '', rest = ''] = /^(\.*)(.*)$/.exec(name) ?? [];
  const parts = rest.split('.').filter(Boolean).join('/');
  const files = (base: string) => [`${base}.py`, `${base}/__init__.py`, `${base}.pyi`];
  if (dots === '') return [...files(parts), ...files(`src/${parts}`)];
  const base = joined(folderOf(from), `./${'../'.repeat(dots.length - 1)}${parts}`);
  return base === null ? null : parts === '' ? [`${base}/__init__.py`] : files(base);
}

function folderOf(path: string): string {
  return path.includes('/') ? path.slice(0, path.lastIndexOf('/')) : '';
}

/** Returns the joined path; `null` if it leads out of the repository. */
function joined(folder: string, name: string): string | null {
  const parts = folder === '' ? [] : folder.split('/');
  for (const part of name.split('/')) {
    if (part === '' || part === '.') continue;
    if (part !== '..') parts.push(part);
    else if (parts.pop() === undefined) return null;
  }
  return parts.join('/');
}
