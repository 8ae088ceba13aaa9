// Bundles the command line, the scripted agent and what the package exports into dist/ (or the folder given):
// `node scripts/build.mjs [dist]`. What several of them use, and what is loaded with import(), are chunks: each module
// is there once. `npm run torture -- hostile` gives a JSON file, too, with modules and what stands in for them.
// `--unless-built` does nothing where dist/ was made of the sources as they are.
// `--debug` leaves the code readable, with maps by which a debugger finds the sources (scripts/dev.mjs).
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { build } from 'esbuild';
import { isBuilt, noteBuilt } from './built.mjs';
import { licencesText, packagesIn } from './third-party.mjs';

const ROOT = resolve(import.meta.dirname, '..');
const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { debug: { type: 'boolean' }, 'unless-built': { type: 'boolean' } },
});
const [dist = join(ROOT, 'dist'), standIns] = positionals;
const DIST = resolve(dist);
const isDebug = values.debug === true;
if (values['unless-built'] === true && isBuilt()) process.exit();
const PROGRAMS = [
  'src/cli/start.ts',
  'src/cli/main.ts',
  'src/evaluate/scripted/main.ts',
  'src/respond/human/document.ts',
];
/** Absolute path of a module to that of its stand-in. */
const STAND_INS = new Map(
  standIns === undefined ? [] : Object.entries(JSON.parse(readFileSync(standIns, 'utf8'))),
);

/** The text of a module; functions that its stand-in declares are that one's. */
function textOf(path) {
  const text = readFileSync(path, 'utf8');
  const standIn = STAND_INS.get(path);
  if (standIn === undefined) return text;
  const instead = readFileSync(standIn, 'utf8');
  const names = [...instead.matchAll(DECLARED)].map(([, name]) => name);
  // One that offers all of it may import what it likes.
  if ([...text.matchAll(DECLARED_TO_ALL)].every(([, name]) => names.includes(name))) return instead;
  const renamed = text.replaceAll(DECLARED, (whole, name) =>
    names.includes(name) ? whole.replace(/^export /, '').replace(name, `${name}_replaced`) : whole,
  );
  return `${renamed}\n${instead}`;
}

const DECLARED = /^(?:export )?(?:async )?(?:const|function\*?|class) (\w+)/gm;
const DECLARED_TO_ALL = /^export (?:async )?(?:const|function\*?|class) (\w+)/gm;

const FROM_INDEX = /^(import|export) \{([^}]*)\} from '(\.[^']*\/index\.ts|ralph-[^']+)';/gm;
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

/** The file that a module of ours names as `./x.ts`, or as the entry of a package in packages/. */
function fileOf(specifier, folder) {
  return specifier.startsWith('.')
    ? resolve(folder, specifier)
    : fileURLToPath(import.meta.resolve(specifier));
}

/** The module that a name comes from which an index.ts passes on. */
function originOf(file, name) {
  for (const [, list, from] of readFileSync(file, 'utf8').matchAll(PASSED_ON)) {
    const found = namesIn(list).find(({ as }) => as === name);
    if (found !== undefined) return originOf(fileOf(from, dirname(file)), found.name);
  }
  return { file, name };
}

/**
 * `status` needs what most commands need, and hardly more: that is one chunk, which all that is loaded with import()
 * shares. The files of the command line share theirs, as help loads them without what they do.
 */
const USUAL = {
  cli: { path: join(ROOT, 'src', 'cli', 'commands', 'status.ts'), name: 'run' },
  rest: { path: join(ROOT, 'src', 'app', 'commands', 'status.ts'), name: 'status' },
};
const CLI = join(ROOT, 'src', 'cli', 'commands');
const late = new Set();

/**
 * Whoever imports from an index.ts imports from the modules behind it: a chunk holds whole modules, so each command
 * would load all that anyone uses of a room. Each chunk takes time of its own, so what is usual isn't split further.
 */
const ourModules = {
  name: 'our-modules',
  setup({ initialOptions, onResolve, onLoad }) {
    onResolve({ filter: /^(?:\.|ralph-)/ }, ({ kind, path, resolveDir }) => {
      if (kind === 'dynamic-import') late.add(fileOf(path, resolveDir));
    });
    onLoad({ filter: /\/src\/.*\.ts$/ }, ({ path }) => {
      const text = textOf(path);
      const direct = text.replaceAll(FROM_INDEX, (_, keyword, list, index) =>
        namesIn(list)
          .map(({ name, as }) => ({ ...originOf(fileOf(index, dirname(path)), name), as }))
          .map(({ file, name, as }) => `${keyword} { ${name} as ${as} } from ${JSON.stringify(file)};`)
          .join(' '),
      );
      const usual = path.startsWith(CLI) ? USUAL.cli : USUAL.rest;
      const isLate = initialOptions.splitting && late.has(path) && path !== usual.path;
      return {
        contents: isLate
          ? `${direct}export { ${usual.name} as usual } from ${JSON.stringify(usual.path)};`
          : direct,
        loader: 'ts',
      };
    });
  },
};

/** What the commands of `src/cli/start.ts` may load late; all else stays in the chunks. */
const IN_LOOK_SCRIPT =
  /^(?:src\/(?:(?:cli|app)\/commands\/(?:status|tasks|blocked|interventions)|cli\/print-text|app\/setup\/reported-so-far|io\/git\/(?:open-git|porcelain)|tasks\/entries\/read-(?:yaml|folder))\.ts$)/;

/** The rest of what is loaded late comes from the chunks that the other build made of it. */
const restFromChunks = (chunks) => ({
  name: 'rest-from-chunks',
  setup({ onResolve, resolve: find }) {
    onResolve({ filter: /./ }, async ({ kind, path, pluginData, ...from }) => {
      if (kind !== 'dynamic-import' || pluginData === 'asked') return undefined;
      const found = await find(path, {
        kind,
        pluginData: 'asked',
        resolveDir: from.resolveDir,
        importer: from.importer,
      });
      const source = relative(ROOT, found.path);
      if (found.external || IN_LOOK_SCRIPT.test(source)) return undefined;
      return { path: chunks.get(source), external: true };
    });
  },
});

/** Tables of all emoji and of what belongs together take some 20 ms of a start, and plain text never needs them. */
const lateTables = {
  name: 'late-tables',
  setup({ onLoad }) {
    onLoad({ filter: /\/node_modules\/(?:string-width|wrap-ansi)\/index\.js$/ }, ({ path }) => ({
      contents: readFileSync(path, 'utf8')
        .replace(
          'new Intl.Segmenter()',
          '{segment(text){return(this.made??=new Intl.Segmenter()).segment(text)}}',
        )
        .replace(
          '/^\\p{RGI_Emoji}$/v',
          '{test(text){return(this.made??=new RegExp("^\\\\p{RGI_Emoji}$","v")).test(text)}}',
        ),
      loader: 'js',
    }));
  },
};

/** These built-in modules take milliseconds to load and few commands use them: they come at the first use. */
const lateBuiltIns = {
  name: 'late-built-ins',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^(?:node:)?(?:child_process|zlib)$/ }, ({ path, namespace }) => {
      const name = path.startsWith('node:') ? path : `node:${path}`;
      return namespace === 'late' ? { path: name, external: true } : { path: name, namespace: 'late' };
    });
    onLoad({ filter: /./, namespace: 'late' }, ({ path }) => {
      const names = Object.keys(createRequire(import.meta.url)(path));
      const getters = names.map((name) => `get ${name}(){return require(${JSON.stringify(path)}).${name}}`);
      return { contents: `module.exports={${getters.join(',')}}`, loader: 'js', resolveDir: ROOT };
    });
  },
};

/** By a rename, so that a ralph that starts meanwhile finds the old file or the new one, never half of one. */
async function put(path, text) {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(`${path}.new`, text);
  await rename(`${path}.new`, path);
}

/** What both kinds of scripts are built with. */
const COMMON = {
  absWorkingDir: ROOT,
  outbase: 'src',
  outdir: DIST,
  bundle: true,
  platform: 'node',
  target: 'node20',
  minify: !isDebug,
  // The engine of a fleet is a package of its own, which only `ralph fleet` asks for.
  external: ['react-devtools-core', 'ralph-fleet', 'ralph-fleet/board'],
  legalComments: 'none',
  logLevel: 'warning',
  write: false,
};
/** What React and Ink have for their own development stays out. */
const DEFINED = { 'process.env.NODE_ENV': '"production"', 'process.env.DEV': '"false"' };

const { outputFiles, metafile } = await build({
  ...COMMON,
  metafile: true,
  entryPoints: PROGRAMS,
  chunkNames: 'chunks/[name]-[hash]',
  splitting: true,
  format: 'esm',
  ...(isDebug ? { sourcemap: 'linked', sourcesContent: false } : {}),
  define: DEFINED,
  // They make starts fast, and move lines.
  plugins: isDebug ? [] : [ourModules, lateTables, lateBuiltIns],
});
// One script can't be read by a debugger, and isn't needed.
if (!isDebug) outputFiles.push({ path: join(DIST, 'cli', 'look.cjs'), text: await lookScript() });

/** The commands of `src/cli/start.ts` as one script, behind a line that names its content; what loads chunks is handed in. */
async function lookScript() {
  const outputs = Object.entries(metafile.outputs).filter(([, { entryPoint }]) => entryPoint !== undefined);
  const chunks = new Map(
    outputs.map(([path, { entryPoint }]) => [entryPoint, relative(join(DIST, 'cli'), join(ROOT, path))]),
  );
  const {
    outputFiles: [{ text }],
  } = await build({
    ...COMMON,
    entryPoints: ['src/cli/main.ts'],
    format: 'cjs',
    define: { ...DEFINED, 'import.meta.url': '__url' },
    banner: { js: 'const __url=require("node:url").pathToFileURL(__filename).href;' },
    plugins: [restFromChunks(chunks), ourModules, lateTables, lateBuiltIns],
  });
  const late = text.replaceAll(/\bimport\((?="(?:\.\.\/chunks\/|ralph-fleet))/g, '__import(');
  return `//${createHash('sha256').update(late).digest('hex').slice(0, 16)}\n${late}`;
}

/** Packages that are CommonJS ask for Node's modules with it; esbuild's helper for them is in one chunk. */
const REQUIRE = 'import{createRequire as __cr}from"node:module";const require=__cr(import.meta.url);';

const written = new Set([join(DIST, 'package.json')]);
await put(join(DIST, 'package.json'), '{ "type": "module" }\n');
// Programs come last: each finds its chunks.
for (const { path, text } of outputFiles.toSorted((one, other) => isChunk(other) - isChunk(one))) {
  if (path.endsWith('.map')) await put(path, withWholePaths(path, text));
  else await put(path, text.includes('typeof require') ? `${REQUIRE}${text}` : text);
  written.add(path);
}

const inputs = Object.values(metafile.outputs).flatMap((output) =>
  Object.entries(output.inputs).flatMap(([path, { bytesInOutput }]) => (bytesInOutput > 0 ? [path] : [])),
);
const packages = packagesIn(ROOT, inputs);
for (const [name, text] of [
  ['THIRD_PARTY_LICENSES.txt', licencesText(packages)],
  // What a release's bill of materials is made from.
  ['packages.json', `${JSON.stringify(packages.map(({ name, version }) => ({ name, version })))}\n`],
]) {
  await put(join(DIST, name), text);
  written.add(join(DIST, name));
}

/** A map whose sources are found wherever ralph copies itself to. */
function withWholePaths(path, text) {
  const map = JSON.parse(text);
  const sources = map.sources.map((source) => pathToFileURL(resolve(dirname(path), source)).href);
  return JSON.stringify({ ...map, sources });
}

function isChunk({ path }) {
  return Number(relative(DIST, path).startsWith('chunks/'));
}

// What earlier builds left goes last, so that a ralph that starts meanwhile finds its files.
for (const entry of await readdir(DIST, { recursive: true, withFileTypes: true })) {
  const path = join(entry.parentPath ?? entry.path, entry.name);
  if (entry.isFile() && !written.has(path)) await rm(path);
}

if (dist === join(ROOT, 'dist') && standIns === undefined && !isDebug) noteBuilt(written);
