import { isObject } from '../../lib/is-object.ts';
import { tryOr } from '../../lib/try-or.ts';

/** A text behind what imports, or behind what names a file beside the module: `new URL('./words.txt', import.meta.url)`. */
const SPECIFIER = /\b(?:from|import|require|resolve|URL)\s*\(?\s*(['"])((?:(?!\1)[^\\\n])+)\1/g;

/**
 * What a module imports as far as it is written out, and some texts more that only look so: rather one too many. What isn't among
 * them can't be loaded.
 */
export function specifiersIn(source: string): string[] {
  return [...new Set([...source.matchAll(SPECIFIER)].map(([, , specifier = '']) => specifier))];
}

/** The package of `@scope/name/below` or `name/below`; `null` for a path and for what no package is called. */
export function packageOf(specifier: string): string | null {
  return /^(?:@[\w.~-]+\/)?[\w~-][\w.~-]*(?=\/|$)/.exec(specifier)?.[0] ?? null;
}

/** Packages that a package may import; what isn't installed of them is left out later. */
export function dependenciesIn(packageJson: string): string[] {
  const json = parsed(packageJson);
  const fields = [json.dependencies, json.optionalDependencies, json.peerDependencies];
  return [...new Set(fields.flatMap((field) => (isObject(field) ? Object.keys(field) : [])))];
}

/** What of a `package.json` decides how the modules around it are loaded. */
export function scopeIn(packageJson: string): Record<string, unknown> {
  const { name, type, imports, exports } = parsed(packageJson);
  const own = exports === undefined ? {} : { name, exports };
  return { ...(type === undefined ? {} : { type }), ...(imports === undefined ? {} : { imports }), ...own };
}

/** Where `#name`, or the package's own name, may lead: texts relative to its folder, or names of packages. */
export function targetsOf(specifier: string, { name, imports, exports }: Record<string, unknown>): string[] {
  if (specifier.startsWith('#')) return entriesOf(specifier, imports);
  if (typeof name !== 'string' || packageOf(specifier) !== name) return [];
  const below = `.${specifier.slice(name.length)}`;
  const isTable = isObject(exports) && Object.keys(exports).some((key) => key.startsWith('.'));
  return entriesOf(below, isTable ? exports : { '.': exports });
}

function entriesOf(key: string, table: unknown): string[] {
  if (!isObject(table)) return [];
  return Object.entries(table).flatMap(([pattern, value]) => {
    const [start = '', end] = pattern.split('*');
    if (end === undefined) return pattern === key ? leavesOf(value) : [];
    if (!key.startsWith(start) || !key.endsWith(end) || key.length < start.length + end.length) return [];
    const middle = key.slice(start.length, key.length - end.length);
    return leavesOf(value).map((leaf) => leaf.replaceAll('*', middle));
  });
}

function leavesOf(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return value instanceof Object ? Object.values(value).flatMap(leavesOf) : [];
}

function parsed(text: string): Record<string, unknown> {
  const json: unknown = tryOr(null, () => JSON.parse(text));
  return isObject(json) ? json : {};
}
