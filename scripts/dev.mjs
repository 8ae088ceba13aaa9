// Runs ralph from its sources in the folder that npm was called in: `npm run dev -- status`. The build that this takes half a second for is
// apart from dist/, readable, and kept until a source changes.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, readdirSync, renameSync, rmSync, statSync, utimesSync } from 'node:fs';
import { delimiter, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { SOURCES } from './built.mjs';

const ROOT = resolve(import.meta.dirname, '..');
const BUILDS = join(ROOT, 'node_modules', '.cache', 'ralph-dev');
/** Whole folders and files that a build is made from. */
const INPUTS = [...SOURCES, 'scripts/build.mjs', 'package-lock.json'];
/** A run loads its chunks when it needs them: the builds of a day stay. */
const KEPT_MS = 24 * 3_600_000;

const build = buildOfNow();
const { npm_lifecycle_event: script, INIT_CWD: calledIn } = process.env;
if (script === 'dev' && calledIn !== undefined) {
  process.chdir(calledIn);
  forgetNpm();
}
process.setSourceMapsEnabled(true);
process.argv[1] = join(build, 'bin', 'ralph.js');
await import(pathToFileURL(process.argv[1]).href);

/** The folder of a package with the sources as they are, made where it is missing. */
function buildOfNow() {
  const stamps = INPUTS.flatMap(filesAt).map((path) => {
    const { size, mtimeMs } = statSync(join(ROOT, path));
    return `${path} ${size} ${mtimeMs}`;
  });
  const folder = join(BUILDS, createHash('sha256').update(stamps.join('\n')).digest('hex').slice(0, 16));
  if (!existsSync(folder)) {
    const made = `${folder}.${process.pid}`;
    execFileSync(process.execPath, [join(ROOT, 'scripts/build.mjs'), '--debug', join(made, 'dist')], {
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    for (const name of ['bin', 'templates', 'package.json'])
      cpSync(join(ROOT, name), join(made, name), { recursive: true });
    try {
      renameSync(made, folder);
    } catch (error) {
      // Another start made it at the same time.
      if (!existsSync(folder)) throw error;
      rmSync(made, { recursive: true });
    }
  }
  const now = new Date();
  utimesSync(folder, now, now);
  for (const name of readdirSync(BUILDS))
    if (statSync(join(BUILDS, name)).mtimeMs < now - KEPT_MS)
      rmSync(join(BUILDS, name), { recursive: true, force: true });
  return folder;
}

/** Paths from the top of all files in a folder, or of the one file. */
function filesAt(path) {
  if (!statSync(join(ROOT, path)).isDirectory()) return [path];
  return readdirSync(join(ROOT, path), { recursive: true, encoding: 'utf8' })
    .map((name) => join(path, name))
    .sort();
}

/** Gates and agents get the environment that npm was called in, and so no programs and no place of this package. */
function forgetNpm() {
  for (const name of Object.keys(process.env))
    if (/^(?:INIT_CWD$|npm_(?!config_)|npm_config_(?:local_|global_)?prefix$)/.test(name))
      delete process.env[name];
  // npm puts folders in front of the PATH, of which this is the last.
  const path = (process.env.PATH ?? '').split(delimiter);
  process.env.PATH = path
    .slice(path.findIndex((folder) => folder.endsWith('node-gyp-bin')) + 1)
    .join(delimiter);
}
