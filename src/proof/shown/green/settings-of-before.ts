import { parseJson } from 'ralph-kit/parse-json';
import { nameOf } from 'ralph-kit/paths';
import * as z from 'zod/mini';

/** Entries of `package.json` that describe the package and its needs. All others are settings of tools. */
const OF_THE_PACKAGE = new Set(
  (
    'name version description private license author contributors keywords repository homepage bugs funding type main module browser exports ' +
    'imports bin man types typings typesVersions files sideEffects dependencies devDependencies peerDependencies peerDependenciesMeta ' +
    'optionalDependencies bundleDependencies bundledDependencies overrides resolutions engines os cpu packageManager workspaces publishConfig ' +
    'pnpm gypfile'
  ).split(' '),
);
/** Tables of TOML and INI files that describe a package and its needs, by file name. */
const PACKAGE_TABLES: Readonly<Record<string, RegExp>> = {
  'pyproject.toml':
    /^(?:$|project|build-system|dependency-groups|tool\.(?:poetry|uv|pdm|hatch|setuptools|flit|maturin|rye|scikit-build)(?![\w-]))/,
  'setup.cfg': /^(?:$|metadata|options)/,
  'Cargo.toml': /^(?!lints|profile|workspace\.lints)/,
};

/** Returns a file with its earlier settings and the current needs of its package; `null` if it has only settings or can't be split. */
export function settingsOfBefore(path: string, before: string | null, now: string | null): string | null {
  if (before === null || now === null) return null;
  const name = nameOf(path);
  if (name === 'package.json') return packageOfBefore(before, now);
  const isOfPackage = PACKAGE_TABLES[name];
  return isOfPackage === undefined ? null : tablesOfBefore(before, now, isOfPackage);
}

const ENTRIES = z.record(z.string(), z.unknown());

function packageOfBefore(before: string, now: string): string | null {
  const [was, is] = [parseJson(before, ENTRIES), parseJson(now, ENTRIES)];
  if (was === null || is === null) return null;
  const kept = Object.entries(is).filter(([key]) => OF_THE_PACKAGE.has(key));
  const put = Object.entries(was).filter(([key]) => !OF_THE_PACKAGE.has(key));
  const settings = Object.entries(is).filter(([key]) => !OF_THE_PACKAGE.has(key));
  if (JSON.stringify(settings) === JSON.stringify(put)) return now;
  return `${JSON.stringify(Object.fromEntries([...kept, ...put]), null, 2)}\n`;
}

function tablesOfBefore(before: string, now: string, isOfPackage: RegExp): string {
  const ofPackage = tablesIn(now).filter(({ name }) => isOfPackage.test(name));
  const settings = (text: string) => tablesIn(text).filter(({ name }) => !isOfPackage.test(name));
  const textOf = (tables: readonly { readonly text: string }[]) => tables.map(({ text }) => text).join('');
  if (textOf(settings(before)) === textOf(settings(now))) return now;
  return textOf([...ofPackage, ...settings(before)]);
}

/** Text before the first header has the name ''. */
function tablesIn(text: string): { readonly name: string; readonly text: string }[] {
  const tables: { name: string; text: string }[] = [{ name: '', text: '' }];
  for (const line of text.split(/(?<=\n)/)) {
    const header = /^\[\[?\s*([^\]\n]+?)\s*\]/.exec(line)?.[1];
    if (header !== undefined) tables.push({ name: header.replaceAll(/["']/g, ''), text: '' });
    const last = tables.at(-1);
    if (last !== undefined) last.text += line.endsWith('\n') ? line : `${line}\n`;
  }
  return tables.filter((table) => table.text !== '');
}
