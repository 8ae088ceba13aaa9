// Whether dist/ is what `node scripts/build.mjs` would make of the sources as they are.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

const ROOT = resolve(import.meta.dirname, '..');
const NOTE = join(ROOT, 'node_modules', '.cache', 'ralph-build.json');
/** Folders and files whose modules are in a build. */
export const SOURCES = [
  'src',
  ...readdirSync(join(ROOT, 'packages')).flatMap((name) => [
    `packages/${name}/src`,
    `packages/${name}/package.json`,
  ]),
].filter((path) => existsSync(join(ROOT, path)));
/** What a build reads; a change of the rest changes nothing in dist/. */
const INPUTS = [...SOURCES, 'scripts', 'package.json', 'package-lock.json'];

/** Returns path, size and time of each file that a build reads. */
function inputsNow() {
  const sum = createHash('sha256');
  const add = (path) => {
    const stat = statSync(join(ROOT, path));
    if (stat.isDirectory()) for (const name of readdirSync(join(ROOT, path)).sort()) add(join(path, name));
    else if (!path.endsWith('.test.ts')) sum.update(`${path}\0${stat.size}\0${stat.mtimeMs}\n`);
  };
  for (const path of INPUTS) if (existsSync(join(ROOT, path))) add(path);
  return sum.digest('hex');
}

/** Returns whether the last build was made from the current files, and everything that it wrote still exists. */
export function isBuilt() {
  try {
    const { inputs, written } = JSON.parse(readFileSync(NOTE, 'utf8'));
    return inputs === inputsNow() && written.every((path) => existsSync(path));
  } catch {
    return false;
  }
}

/** Records the files that a build wrote, as absolute paths. */
export function noteBuilt(written) {
  mkdirSync(dirname(NOTE), { recursive: true });
  writeFileSync(NOTE, JSON.stringify({ inputs: inputsNow(), written: [...written] }));
}
