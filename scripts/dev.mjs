// Runs ralph from its sources in the folder in which npm was called: `npm run dev -- status`. It makes a readable build
// apart from dist/, which takes half a second and is kept until a source changes.
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

/** Returns the folder of a package with the current sources, made if it is missing. */
function buildOfNow() {
  const stamps = INPUTS.flatMap(filesAt)
    .filter((path) => !path.endsWith('.test.ts'))
    .map((path) => {
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
      // Another start may have made the same folder at the same time.
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

/** Returns the paths, from the top, of all files in a folder, or of the one file. */
function filesAt(path) {
  if (!statSync(join(ROOT, path)).isDirectory()) return [path];
  return readdirSync(join(ROOT, path), { recursive: true, encoding: 'utf8' })
    .map((name) => join(path, name))
    .sort();
}

/**
 * Removes what npm added to the environment, because gates and agents should get the environment in which npm was
 * called.
 */
function forgetNpm() {
  for (const name of Object.keys(process.env))
    if (/^(?:INIT_CWD$|npm_(?!config_)|npm_config_(?:local_|global_)?prefix$)/.test(name))
      delete process.env[name];
  // npm puts folders in front of PATH, the last of which is this one.
  const path = (process.env.PATH ?? '').split(delimiter);
  process.env.PATH = path
    .slice(path.findIndex((folder) => folder.endsWith('node-gyp-bin')) + 1)
    .join(delimiter);
}
