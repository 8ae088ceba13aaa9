import './no-debugger.ts';
import { closeSync, existsSync, openSync, readFileSync, readSync } from 'node:fs';
import module, { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Script } from 'node:vm';
import { keepCompiled, keepModules, readCompiled } from 'ralph-kit/files/compiled-script';

/** Maximum number of bytes of the first line of look.cjs, which has the name of the build. */
const LONGEST_NAME = 64;

/** Returns whether the words call a command that only reads and that look.cjs contains. */
function isLook([command, next, ...more]: readonly string[]): boolean {
  if (command === 'tasks') return next === undefined || next === 'list' || next.startsWith('-');
  if (command === 'interventions') return ![next, ...more].includes('--reset');
  return command === 'status' || command === 'blocked';
}

/**
 * Runs look.cjs, a single script with short commands: reading and compiling modules takes most of such a command's
 * time, and Node can reuse the compiled form of a script. Returns false if the script doesn't exist, as in a build for
 * a debugger.
 */
function look(): boolean {
  const folder = dirname(fileURLToPath(import.meta.url));
  const filename = join(folder, 'look.cjs');
  if (!existsSync(filename)) return false;
  const source = readFileSync(filename, 'latin1');
  // The first line of the script identifies its content.
  const name = source.slice(2, source.indexOf('\n'));
  const cachedData = readCompiled(name);
  const script = new Script(`(function(require,__import,__filename,__dirname){${source}\n})`, {
    filename,
    ...(cachedData === null ? {} : { cachedData }),
  });
  // Compiled code is saved at exit, because it then has every function that was called.
  if (cachedData === null || script.cachedDataRejected === true)
    process.on('exit', () => keepCompiled(name, script.createCachedData()));
  // Node prints a warning for import() within a script, so imports are passed in.
  const load = (path: string) => import(path.startsWith('.') ? new URL(path, import.meta.url).href : path);
  script.runInThisContext()(createRequire(filename), load, filename, folder);
  return true;
}

if (!isLook(process.argv.slice(2)) || !look()) {
  // Node 20 doesn't have enableCompileCache.
  const { enableCompileCache } = module as { readonly enableCompileCache?: (folder: string) => unknown };
  if (enableCompileCache !== undefined) {
    const build = buildName();
    if (build !== null) keepModules(build, enableCompileCache);
  }
  await import('./main.ts');
}

/** Returns the name of this build's content from the first line of its script; `null`: the build has no script. */
function buildName(): string | null {
  try {
    const file = openSync(join(dirname(fileURLToPath(import.meta.url)), 'look.cjs'), 'r');
    const begin = Buffer.alloc(LONGEST_NAME);
    const length = readSync(file, begin);
    closeSync(file);
    return /^\/\/([0-9a-f]+)\n/.exec(begin.toString('latin1', 0, length))?.[1] ?? null;
  } catch {
    return null;
  }
}
