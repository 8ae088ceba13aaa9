// Bundles the command line and the scripted agent into dist/ (or the folder given): `node scripts/build.mjs [dist]`.
// `npm run torture -- hostile` gives a JSON file, too, with modules and what stands in for them.
//
// What starts fast decides the form. CommonJS: Node's ESM loader alone takes 8 % of a start. One file for each module
// that src/cli loads with import(), each with all it needs and nothing else: chunks that several commands share would
// hold what any of them uses. So a command has its own copy of a class, and nothing but plain data and functions may
// pass between src/cli/main.ts and a command. Packages that are loaded with import() are files of their own, too.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { build } from 'esbuild';

const ROOT = resolve(import.meta.dirname, '..');
const DIST = resolve(process.argv[2] ?? join(ROOT, 'dist'));
const CLI = join(ROOT, 'src', 'cli');
const TASKS = join(ROOT, 'src', 'tasks');
const PROGRAMS = ['src/cli/main.ts', 'src/evaluate/scripted/main.ts', 'src/respond/human/document.ts'];
/** Kept with their compiled code, which saves 16 to 22 ms of each start, of a run's some 100 ms. */
const CACHED = [
  'app/setup/refuse-inside.js',
  ...['run', 'status', 'report', 'blocked', 'interventions'].map((name) => `cli/commands/${name}.js`),
];
const MODULE_URL = '__moduleUrl';
/** Absolute path of a module to that of its stand-in. */
const STAND_INS = new Map(
  process.argv[3] === undefined ? [] : Object.entries(JSON.parse(await readFile(process.argv[3], 'utf8'))),
);

/** File below dist/ to what is bundled into it. */
const entries = new Map(PROGRAMS.map((path) => [outputOf(join(ROOT, path)), join(ROOT, path)]));

function outputOf(source) {
  return relative(join(ROOT, 'src'), source).replace(/\.ts$/, '.js');
}

/** Makes what is loaded with import() a file of its own and leaves the call in place. */
function lazyFiles(folder) {
  return {
    name: 'lazy-files',
    setup({ onResolve }) {
      onResolve({ filter: /./ }, ({ kind, path, importer, resolveDir }) => {
        if (kind !== 'dynamic-import' || path.startsWith('node:')) return undefined;
        const ours = path.startsWith('.');
        // Inside of a command a class must stay one class: there import() only puts off the start of a module.
        if (ours && !importer.startsWith(CLI) && !importer.startsWith(TASKS)) return undefined;
        const source = ours ? resolve(resolveDir, path) : path;
        const target = ours ? outputOf(source) : `packages/${path}.js`;
        entries.set(target, source);
        const from = relative(folder, target);
        return { path: from.startsWith('.') ? from : `./${from}`, external: true };
      });
    },
  };
}

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

/** To read the expression of all emoji takes 12 ms of a start, and plain text never needs it. */
const lateEmoji = {
  name: 'late-emoji',
  setup({ onLoad }) {
    onLoad({ filter: /\/string-width\/index\.js$/ }, async ({ path }) => {
      const text = await readFile(path, 'utf8');
      const late =
        '{made:null,test(t){this.made??=new RegExp("^\\\\p{RGI_Emoji}$","v");return this.made.test(t)}}';
      return { contents: text.replace('/^\\p{RGI_Emoji}$/v', late), loader: 'js' };
    });
  },
};

/** What stands in for a module is read as if it stood at its place. */
const standIns = {
  name: 'stand-ins',
  setup({ onLoad }) {
    // By their names: each file that is asked for here costs a way from esbuild's process and back.
    const names = [...STAND_INS.keys()].map((path) => basename(path).replaceAll('.', '\\.'));
    onLoad({ filter: new RegExp(`/(?:${names.join('|')})$`) }, async ({ path }) => {
      const other = STAND_INS.get(path);
      if (other === undefined) return undefined;
      return { contents: await readFile(other, 'utf8'), loader: 'ts', resolveDir: dirname(path) };
    });
  },
};

/** What lies in one folder is bundled at once: a module is read once for all of it. Returns file below dist/ → text. */
async function bundle(folder, files) {
  const { outputFiles } = await build({
    absWorkingDir: ROOT,
    entryPoints: files.map((output) => ({ in: entries.get(output), out: output.slice(0, -'.js'.length) })),
    outdir: DIST,
    bundle: true,
    format: 'cjs',
    platform: 'node',
    target: 'node20',
    supported: { 'dynamic-import': false },
    define: { 'import.meta.url': MODULE_URL, 'Intl.Segmenter': 'LateSegmenter' },
    inject: [join(ROOT, 'scripts', 'late-segmenter.mjs')],
    minify: true,
    legalComments: 'none',
    logLevel: 'warning',
    write: false,
    plugins: [lateBuiltIns, lateEmoji, lazyFiles(folder), ...(STAND_INS.size > 0 ? [standIns] : [])],
  });
  const url = `const ${MODULE_URL}=require("node:url").pathToFileURL(__filename).href;`;
  return new Map(
    outputFiles.map(({ path, text }) => [
      relative(DIST, path),
      text.includes(MODULE_URL) ? `${url}\n${text}` : text,
    ]),
  );
}

/** By a rename, so that a ralph that starts meanwhile finds the old file or the new one, never half of one. */
async function put(output, text) {
  const path = join(DIST, output);
  await mkdir(dirname(path), { recursive: true });
  await writeFile(`${path}.new`, text);
  await rename(`${path}.new`, path);
}

const written = new Set(['package.json', 'cached-module.js']);
await put('package.json', '{ "type": "commonjs" }\n');
await put('cached-module.js', await readFile(join(ROOT, 'scripts', 'cached-module.cjs'), 'utf8'));
// Bundling finds further entries.
for (;;) {
  const left = [...entries.keys()].filter((output) => !written.has(output));
  if (left.length === 0) break;
  const folder = dirname(left[0]);
  const texts = await bundle(
    folder,
    left.filter((output) => dirname(output) === folder),
  );
  for (const [output, text] of texts) await putProgram(output, text);
}

/** The bundler leaves regular expressions as they are written; what is kept compiled is read as ASCII. */
function inAscii(text) {
  return text.replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

async function putProgram(output, bundled) {
  written.add(output);
  if (!CACHED.includes(output)) return put(output, bundled);
  const text = inAscii(bundled);
  const hash = createHash('sha256').update(text).digest('hex').slice(0, 12);
  const code = output.replace(/\.js$/, `-${hash}.js`);
  written.add(code).add(`${code}.cache`);
  await rm(join(DIST, `${code}.cache`), { force: true });
  await put(code, text);
  const loader = relative(dirname(output), 'cached-module.js');
  return put(output, `require("${loader}")(module,require.resolve("./${basename(code)}"));\n`);
}

const warmUp = join(ROOT, 'scripts', 'warm-up.cjs');
const { status } = spawnSync(process.execPath, [warmUp, DIST, ...CACHED], {
  stdio: ['ignore', 'ignore', 'inherit'],
});
if (status !== 0) throw new Error('the commands could not be run for their compiled code');

// What earlier builds left goes last, so that a ralph that is running meanwhile always finds its files.
for (const entry of await readdir(DIST, { recursive: true, withFileTypes: true })) {
  const path = join(entry.parentPath ?? entry.path, entry.name);
  if (entry.isFile() && !written.has(relative(DIST, path))) await rm(path);
}
