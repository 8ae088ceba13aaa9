// Bundles the command line, the scripted agent and the package's exports into dist/, or into the given folder: `node
// scripts/build.mjs [dist]`. Modules that several of them use, and modules loaded with import(), are in chunks, so that
// each is there once. `npm run torture -- hostile` also passes a JSON file that names modules and their replacements.
// `--unless-built` does nothing if dist/ was made from the current sources. `--debug` leaves the code readable, with
// maps by which a debugger finds the sources (scripts/dev.mjs).
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
const PROGRAMS = ['src/cli/start.ts', 'src/cli/main.ts', 'src/app/demo/main.ts', 'src/decide/human-gates.ts'];
/** Absolute path of each replaced module, with the path of its replacement. */
const STAND_INS = new Map(
  standIns === undefined ? [] : Object.entries(JSON.parse(readFileSync(standIns, 'utf8'))),
);

/** Returns the text of a module, in which functions that its replacement declares are those of the replacement. */
function textOf(path) {
  const text = readFileSync(path, 'utf8');
  const standIn = STAND_INS.get(path);
  if (standIn === undefined) return text;
  const instead = readFileSync(standIn, 'utf8');
  const names = [...instead.matchAll(DECLARED)].map(([, name]) => name);
  // A replacement that declares all of the module's exports may import what it needs.
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

/** Returns the names in an import list: `a, type B, c as d` gives a and c as d. */
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
 * The chunk with the modules of `status`, which are those that most commands need; all code that is loaded with
 * import() shares it. The files of the command line are in another chunk, because help loads them without the commands'
 * code.
 */
const USUAL = {
  cli: { path: join(ROOT, 'src', 'cli', 'commands', 'status.ts'), name: 'run' },
  rest: { path: join(ROOT, 'src', 'app', 'commands', 'status.ts'), name: 'status' },
};
const CLI = join(ROOT, 'src', 'cli', 'commands');
const late = new Set();

/**
 * Imports from an index.ts become imports from the modules behind it: a chunk holds whole modules, so each command
 * would otherwise load everything that any command uses of a room. Each chunk takes time to load, so the usual modules
 * aren't split further.
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

/**
 * Modules that the commands of `src/cli/start.ts` may load late, kept in their script; all other late modules stay in
 * the chunks.
 */
const IN_LOOK_SCRIPT =
  /^(?:src\/(?:(?:cli|app)\/commands\/(?:status|tasks|blocked|interventions)|cli\/print-text|app\/setup\/reported-so-far|git\/(?:open-git|porcelain))|packages\/task-lists\/src\/entries\/read-(?:yaml|folder))\.ts$/;

/** All other modules that are loaded late come from the chunks of the other build. */
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

/**
 * Tables of emoji and of combined characters take some 20 ms of a start, and plain text never needs them, so they are
 * loaded late.
 */
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

/**
 * These built-in modules of Node take milliseconds to load and few commands use them, so they are loaded at their first
 * use.
 */
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

/**
 * The engine of a fleet and its board are a package that is installed beside ralph and that only `ralph fleet` loads.
 * The option `external` would take all entries of the package.
 */
const apart = {
  name: 'apart',
  setup({ onResolve }) {
    onResolve({ filter: /^ralph-fleet(?:\/board)?$/ }, ({ path }) => ({ path, external: true }));
  },
};

/**
 * Writes a file by a rename, so that a ralph that starts meanwhile reads the old file or the new one, never half of
 * one.
 */
async function put(path, text) {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(`${path}.new`, text);
  await rename(`${path}.new`, path);
}

/** Options of esbuild for both kinds of scripts. */
const COMMON = {
  absWorkingDir: ROOT,
  outbase: 'src',
  outdir: DIST,
  bundle: true,
  platform: 'node',
  target: 'node20',
  minify: !isDebug,
  external: ['react-devtools-core'],
  legalComments: 'none',
  logLevel: 'warning',
  write: false,
};
/** Code that React and Ink have for their own development is left out. */
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
  // These plug-ins make starts fast, and move lines, so a debugger's build does without them.
  plugins: isDebug ? [apart] : [ourModules, apart, lateTables, lateBuiltIns],
});
// A debugger can't follow code in one script, and that build needn't be fast.
if (!isDebug) outputFiles.push({ path: join(DIST, 'cli', 'look.cjs'), text: await lookScript() });

/**
 * Returns the commands of `src/cli/start.ts` as one script, below a line that identifies its content; the function that
 * loads chunks is handed in.
 */
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
    plugins: [restFromChunks(chunks), ourModules, apart, lateTables, lateBuiltIns],
  });
  const late = text.replaceAll(/\bimport\((?="(?:\.\.\/chunks\/|ralph-fleet))/g, '__import(');
  return `//${createHash('sha256').update(late).digest('hex').slice(0, 16)}\n${late}`;
}

/** CommonJS packages load Node's modules with `require`, which esbuild's helper in one chunk provides. */
const REQUIRE = 'import{createRequire as __cr}from"node:module";const require=__cr(import.meta.url);';

const written = new Set([join(DIST, 'package.json')]);
await put(join(DIST, 'package.json'), '{ "type": "module" }\n');
// Programs are written last, so that each finds its chunks.
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
  // List of bundled packages, from which a release's bill of materials is made.
  ['packages.json', `${JSON.stringify(packages.map(({ name, version }) => ({ name, version })))}\n`],
]) {
  await put(join(DIST, name), text);
  written.add(join(DIST, name));
}

/** Returns a source map with absolute paths, so that sources are found wherever ralph copies itself to. */
function withWholePaths(path, text) {
  const map = JSON.parse(text);
  const sources = map.sources.map((source) => pathToFileURL(resolve(dirname(path), source)).href);
  return JSON.stringify({ ...map, sources });
}

function isChunk({ path }) {
  return Number(relative(DIST, path).startsWith('chunks/'));
}

// Files of earlier builds are removed last, so that a ralph that starts meanwhile finds its files.
for (const entry of await readdir(DIST, { recursive: true, withFileTypes: true })) {
  const path = join(entry.parentPath ?? entry.path, entry.name);
  if (entry.isFile() && !written.has(path)) await rm(path);
}

if (dist === join(ROOT, 'dist') && standIns === undefined && !isDebug) noteBuilt(written);
