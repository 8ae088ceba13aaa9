import { isObject } from 'ralph-kit/is-object';
import { tryOr } from 'ralph-kit/try-or';

/** String after an import, or after a file reference: `new URL('./words.txt', import.meta.url)`. */
const SPECIFIER = /\b(?:from|import|require|resolve|URL)\s*\(?\s*(['"])((?:(?!\1)[^\\\n])+)\1/g;

/** Returns literal import specifiers, and rather too many: a module can't load anything else. */
export function specifiersIn(source: string): string[] {
  return [...new Set([...source.matchAll(SPECIFIER)].map(([, , specifier = '']) => specifier))];
}

/** Returns the package of `@scope/name/below` or `name/below`; `null` for other specifiers. */
export function packageOf(specifier: string): string | null {
  return /^(?:@[\w.~-]+\/)?[\w~-][\w.~-]*(?=\/|$)/.exec(specifier)?.[0] ?? null;
}

/** Returns packages that may be imported; uninstalled ones are dropped later. */
export function dependenciesIn(packageJson: string): string[] {
  const json = parsed(packageJson);
  const fields = [json.dependencies, json.optionalDependencies, json.peerDependencies];
  return [...new Set(fields.flatMap((field) => (isObject(field) ? Object.keys(field) : [])))];
}

export function scopeIn(packageJson: string): Record<string, unknown> {
  const { name, type, imports, exports } = parsed(packageJson);
  const own = exports === undefined ? {} : { name, exports };
  return { ...(type === undefined ? {} : { type }), ...(imports === undefined ? {} : { imports }), ...own };
}

/** Returns targets of `#name` or the package's own name: relative paths or package names. */
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
