import { dirname, join } from 'node:path';

/** Modules that a module loads, as its text names them. */
const LOADED = /(?:\bfrom\s*|\bimport\s*\(?\s*)'(\.{1,2}\/[^']+|ralph-[^']+)'/g;
const MANIFEST = /^packages\/[^/]+\/package\.json$/;
/** The tag of a test file, which may take minutes, or its kind. */
const TAG = /^\/\*\* @module-tag (\w+) \*\/\n/;
const KIND = /^test\/(\w+)\//;
/** Average seconds of one processor that a test file takes, by its kind. */
const COSTS = { unit: 0.5, architecture: 2, integration: 5, e2e: 20 };

/**
 * Returns test files that load a changed file, those with the fewest modules in between first, as long as the given
 * time lasts; and those that are left out because of the time or because they have a tag.
 * @param {ReadonlySet<string>} changed Paths from the top of the repository.
 * @param {ReadonlyMap<string, string>} texts Text of each module, test file and package.json of a package, by its path from the top.
 * @param {number} seconds Time of one processor.
 * @returns {{ run: string[], left: string[] }}
 */
export function nearestTests(changed, texts, seconds) {
  const loaders = loadersIn(texts);
  const reached = new Set([...changed].filter((path) => texts.has(path)));
  // A walk over a set also visits members that are added meanwhile, in their order: the modules that load changed
  // files, then those that load these.
  for (const path of reached) for (const loader of loaders.get(path) ?? []) reached.add(loader);
  const found = { run: [], left: [] };
  let rest = seconds;
  for (const path of [...reached].filter((one) => one.endsWith('.test.ts'))) {
    const [, kind = 'unit'] = TAG.exec(texts.get(path)) ?? KIND.exec(path) ?? [];
    const cost = COSTS[kind] ?? Number.POSITIVE_INFINITY;
    if (cost <= rest) {
      rest -= cost;
      found.run.push(path);
    } else found.left.push(path);
  }
  return found;
}

/** Returns the modules that load each module, by its path. */
function loadersIn(texts) {
  const loaders = new Map();
  const entries = entriesIn(texts);
  for (const [path, text] of texts)
    for (const [, name] of text.matchAll(LOADED)) {
      const loaded = entries.get(name) ?? new URL(name, `file:///${path}`).pathname.slice(1);
      loaders.set(loaded, [...(loaders.get(loaded) ?? []), path]);
    }
  return loaders;
}

/** The module that stands behind each entry of a package, by what imports call it. */
function entriesIn(texts) {
  const manifests = [...texts].filter(([path]) => MANIFEST.test(path));
  return new Map(
    manifests.flatMap(([path, text]) => {
      const { name, exports } = JSON.parse(text);
      return Object.entries(exports).map(([entry, to]) => [
        join(name, entry),
        join(dirname(path), to.default ?? to),
      ]);
    }),
  );
}
