// Finds code of other projects in the build, and writes its licences into dist/THIRD_PARTY_LICENSES.txt, as their terms
// require.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Licences that allow copies in our build if their text is beside it. */
const ALLOWED = new Set(['MIT', 'MIT-0', 'ISC', 'BSD-2-Clause', 'BSD-3-Clause', '0BSD', 'Apache-2.0']);
const TEXTS = /^(?:licen[cs]e|copying|notice)(?:[.-].*)?$/i;
const PACKAGE = /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+/;

/**
 * Returns the packages whose modules are in a bundle, by name.
 * @param {string} root Folder in which esbuild worked
 * @param {Iterable<string>} inputs Paths of modules relative to it: keys of `inputs` in the outputs of esbuild's
 * metafile
 * @returns {{ name: string, version: string, license: string, text: string }[]}
 * @throws if a package has a licence that isn't allowed
 */
export function packagesIn(root, inputs) {
  const folders = new Set([...inputs].map((path) => PACKAGE.exec(path)?.[0]).filter((folder) => folder));
  return [...folders]
    .map((folder) => packageIn(join(root, folder)))
    .toSorted((one, other) => one.name.localeCompare(other.name) || one.version.localeCompare(other.version));
}

function packageIn(folder) {
  const { name, version, license, author } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  if (!ALLOWED.has(license))
    throw new Error(`${name} ${version} has the licence ${license}, which isn't known here.`);
  const texts = readdirSync(folder)
    .filter((file) => TEXTS.test(file))
    .map((file) => readFileSync(join(folder, file), 'utf8').replaceAll('\r\n', '\n').trim());
  const by = typeof author === 'string' ? author : (author?.name ?? `the authors of ${name}`);
  return { name, version, license, text: texts.length > 0 ? texts.join('\n\n') : `${license}, by ${by}` };
}

/**
 * Returns each licence text once, below the packages that have it.
 * @param {ReturnType<typeof packagesIn>} packages
 * @returns {string}
 */
export function licencesText(packages) {
  const byText = new Map();
  for (const { name, version, license, text } of packages)
    byText.set(text, (byText.get(text) ?? new Set()).add(`${name} ${version} (${license})`));
  const parts = [...byText].map(([text, names]) => `${[...names].join('\n')}\n\n${text}\n`);
  return `These packages are part of what ralph runs.\n\n${parts.join(`\n${'-'.repeat(80)}\n\n`)}`;
}
