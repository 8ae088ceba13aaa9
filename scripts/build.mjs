// Bundles the command line, the scripted agent and what the package exports into dist/ (or the folder given):
// `node scripts/build.mjs [dist]`. What is loaded with import() are chunks, and so is what these share.
// `npm run torture -- hostile` gives a JSON file, too, with modules and what stands in for them.
import { readFileSync } from 'node:fs';
import { mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join, relative, resolve } from 'node:path';
import { build } from 'esbuild';

const ROOT = resolve(import.meta.dirname, '..');
const DIST = resolve(process.argv[2] ?? join(ROOT, 'dist'));
const PROGRAMS = ['src/cli/main.ts', 'src/evaluate/scripted/main.ts', 'src/respond/human/document.ts'];
/** Absolute path of a module to that of its stand-in. */
const STAND_INS = new Map(
  process.argv[3] === undefined ? [] : Object.entries(JSON.parse(readFileSync(process.argv[3], 'utf8'))),
);

const FROM_INDEX = /^(import|export) \{([^}]*)\} from '(\.[^']*\/index\.ts)';/gm;
const PASSED_ON = /^export \{([^}]*)\} from '([^']*)';/gm;

/** `a, type B, c as d` → a and c as d. */
function namesIn(list) {
  return list
    .split(',')
    .map((one) => one.trim())
    .filter((one) => one !== '' && !one.startsWith('type '))
    .map((one) => one.split(' as '))
    .map(([name, as = name]) => ({ name, as }));
}

/** The module that a name comes from which an index.ts passes on. */
function originOf(file, name) {
  for (const [, list, from] of readFileSync(file, 'utf8').matchAll(PASSED_ON)) {
    const found = namesIn(list).find(({ as }) => as === name);
    if (found !== undefined) return originOf(resolve(dirname(file), from), found.name);
  }
  return { file, name };
}

const CLI = join(ROOT, 'src', 'cli');
const USUAL = join(CLI, 'commands', 'status.ts');
/** What is there before anything is loaded with import(); it is one chunk. */
const FIRST = `export { buildProgram as first } from ${JSON.stringify(join(CLI, 'program.ts'))};`;
/** So is what most commands need, and hardly more: what `ralph status` needs. */
const WITH_USUAL = `${FIRST} export { run as usual } from ${JSON.stringify(USUAL)};`;
const WITH_TEXT = `${FIRST} export { printText as text } from ${JSON.stringify(join(CLI, 'print-text.ts'))};`;
const late = new Set();

/**
 * Whoever imports from an index.ts imports from the modules behind it: a chunk holds whole modules, so each command
 * would load all that anyone uses of a room. Each chunk takes time of its own, so what is usual isn't split further.
 */
const ourModules = {
  name: 'our-modules',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^\./ }, ({ kind, path, resolveDir }) => {
      if (kind === 'dynamic-import') late.add(resolve(resolveDir, path));
    });
    onLoad({ filter: /\/src\/.*\.ts$/ }, ({ path }) => {
      const text = readFileSync(STAND_INS.get(path) ?? path, 'utf8');
      const direct = text.replaceAll(FROM_INDEX, (_, keyword, list, index) =>
        namesIn(list)
          .map(({ name, as }) => ({ ...originOf(resolve(dirname(path), index), name), as }))
          .map(({ file, name, as }) => `${keyword} { ${name} as ${as} } from ${JSON.stringify(file)};`)
          .join(' '),
      );
      const shared = path === USUAL ? WITH_TEXT : late.has(path) ? WITH_USUAL : '';
      return { contents: direct + shared, loader: 'ts' };
    });
  },
};

/** Text of this alone takes one column a character, as terminals show it; U+2800 is what holds a blank in its place. */
const ONE_COLUMN_EACH =
  '/^[ -~\\u00a0-\\u00ac\\u00ae-\\u024f\\u2010-\\u2027\\u2190-\\u2193\\u2500-\\u257f\\u25a0\\u25cf\\u2713-\\u2718\\u2800]*$/';

/** Tables of all emoji and of what belongs together take some 40 ms of a start, and plain text never needs them. */
const lateTables = {
  name: 'late-tables',
  setup({ onLoad }) {
    onLoad({ filter: /\/node_modules\/(?:string-width|wrap-ansi)\/index\.js$/ }, ({ path }) => {
      const text = readFileSync(path, 'utf8');
      const contents = text
        .replace(/\/\^\[(?: -~|\\u0020-\\u007E)\]\*\$\//, () => ONE_COLUMN_EACH)
        .replace(
          'new Intl.Segmenter()',
          '{segment(text){return(this.made??=new Intl.Segmenter()).segment(text)}}',
        )
        .replace(
          '/^\\p{RGI_Emoji}$/v',
          '{test(text){return(this.made??=new RegExp("^\\\\p{RGI_Emoji}$","v")).test(text)}}',
        );
      return { contents, loader: 'js' };
    });
  },
};

const SCHEMA_MAKERS = [
  ...[
    'object',
    'strictObject',
    'looseObject',
    'string',
    'number',
    'int',
    'boolean',
    'literal',
    'enum',
    'unknown',
  ],
  ...['array', 'tuple', 'record', 'partialRecord', 'union', 'discriminatedUnion', 'pick', 'omit', 'pipe'],
  ...['nullable', 'optional', 'nullish', '_default', 'prefault'],
];

/**
 * A schema is made when it is first used: all of them take some 40 ms of a start, and a command uses few. The `shape` of an
 * object and what is made of it hold schemas that aren't made yet.
 */
const LATE_SCHEMAS = `
const makers = new WeakMap();
function made(value) {
  if (typeof value !== 'object' || value === null) return value;
  if (makers.has(value)) return makers.get(value)();
  if (Array.isArray(value)) return value.map(made);
  if (Object.getPrototypeOf(value) !== Object.prototype) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, made(one)]));
}
function lateSchema(make, shape) {
  let schema;
  const get = (_, key) => (key === 'shape' && shape !== undefined ? shape() : made(late)[key]);
  const late = new Proxy({}, { get, has: (_, key) => key in made(late) });
  makers.set(late, () => (schema ??= make()));
  return late;
}
const part = (keep) => (object, keys) =>
  Object.fromEntries(Object.entries(object.shape).filter(([key]) => key in keys === keep));
const shapes = { object: (shape) => shape, pick: part(true), omit: part(false) };
const late = (maker, shape) => (...given) =>
  lateSchema(() => maker(...made(given)), shape && (() => shape(...given)));
`;

const lateSchemas = {
  name: 'late-schemas',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^zod\/mini$/ }, ({ namespace }) =>
      namespace === 'schemas' ? undefined : { path: 'zod/mini', namespace: 'schemas', sideEffects: false },
    );
    onLoad({ filter: /./, namespace: 'schemas' }, () => {
      const makers = SCHEMA_MAKERS.map((name) => {
        const shape = name.toLowerCase().endsWith('object') ? 'object' : name;
        const late = `/* @__PURE__ */ late(make_${name}, shapes.${shape})`;
        return `import { ${name} as make_${name} } from 'zod/mini';
                const late_${name} = ${late};
                export { late_${name} as ${name} };`;
      });
      return { contents: `export * from 'zod/mini';${LATE_SCHEMAS}${makers.join('')}`, resolveDir: ROOT };
    });
  },
};

/** A built-in module that takes milliseconds to load, or has parts that do, comes at the first use of one of its names. */
const lateBuiltIns = {
  name: 'late-built-ins',
  setup({ onResolve, onLoad }) {
    onResolve(
      { filter: /^(?:node:)?(?:child_process|zlib|crypto|util|buffer|tty|timers\/promises)$/ },
      ({ path, namespace }) => {
        const name = path.startsWith('node:') ? path : `node:${path}`;
        return namespace === 'late' ? { path: name, external: true } : { path: name, namespace: 'late' };
      },
    );
    onLoad({ filter: /./, namespace: 'late' }, ({ path }) => {
      const names = Object.keys(createRequire(import.meta.url)(path));
      const getters = names.map((name) => `get ${name}(){return require(${JSON.stringify(path)}).${name}}`);
      return { contents: `module.exports={${getters.join(',')}}`, loader: 'js', resolveDir: ROOT };
    });
    // As a module it asks for each of its parts.
    onResolve({ filter: /^node:process$/ }, () => ({ path: 'process', namespace: 'global' }));
    onLoad({ filter: /./, namespace: 'global' }, () => ({ contents: 'module.exports = process;' }));
  },
};

/** Tables of numbers: text is read ten times as fast as code. */
const jsonAsText = {
  name: 'json-as-text',
  setup({ onLoad }) {
    onLoad({ filter: /\/src\/.*\.json$/ }, ({ path }) => {
      const text = JSON.stringify(JSON.parse(readFileSync(path, 'utf8')));
      return { contents: `export default JSON.parse(${JSON.stringify(text)});`, loader: 'js' };
    });
  },
};

/** By a rename, so that a ralph that starts meanwhile finds the old file or the new one, never half of one. */
async function put(path, text) {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(`${path}.new`, text);
  await rename(`${path}.new`, path);
}

const builds = [];
for (const program of PROGRAMS) {
  late.clear();
  const { outputFiles } = await build({
    absWorkingDir: ROOT,
    entryPoints: [program],
    outbase: 'src',
    outdir: DIST,
    chunkNames: 'chunks/[name]-[hash]',
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    minify: true,
    legalComments: 'none',
    logLevel: 'warning',
    write: false,
    plugins: [ourModules, lateTables, lateSchemas, lateBuiltIns, jsonAsText],
  });
  builds.push(...outputFiles);
}

/** Packages that are CommonJS ask for Node's modules with it; esbuild's helper for them is in one chunk. */
const REQUIRE = 'import{createRequire as __cr}from"node:module";const require=__cr(import.meta.url);';

const written = new Set([join(DIST, 'package.json')]);
await put(join(DIST, 'package.json'), '{ "type": "module" }\n');
// Programs come last: each finds its chunks.
for (const { path, text } of builds.toSorted((one, other) => isChunk(other) - isChunk(one))) {
  // Text of one byte a character is read faster; what is left of other characters stands in regular expressions.
  const plain = text.replace(/[^\0-\x7f]/g, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`);
  await put(path, plain.includes('typeof require') ? `${REQUIRE}\n${plain}` : plain);
  written.add(path);
}

function isChunk({ path }) {
  return Number(relative(DIST, path).startsWith('chunks/'));
}

// What earlier builds left goes last, so that a ralph that starts meanwhile finds its files.
for (const entry of await readdir(DIST, { recursive: true, withFileTypes: true })) {
  const path = join(entry.parentPath ?? entry.path, entry.name);
  if (entry.isFile() && !written.has(path)) await rm(path);
}
