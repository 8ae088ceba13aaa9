import './no-debugger.ts';
import { closeSync, existsSync, openSync, readFileSync, readSync } from 'node:fs';
import module, { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Script } from 'node:vm';
import { keepCompiled, keepModules, readCompiled } from '../io/files/compiled-script.ts';

/** Bytes in which that line is. */
const LONGEST_NAME = 64;

/** Whether these words call a command of that script, which decides nothing. */
function isLook([command, next, ...more]: readonly string[]): boolean {
  if (command === 'tasks') return next === undefined || next === 'list' || next.startsWith('-');
  if (command === 'interventions') return ![next, ...more].includes('--reset');
  return command === 'status' || command === 'blocked';
}

/**
 * Commands that look at what there is are asked often, and reading and compiling their modules takes most of their time: as one script,
 * Node takes them from what it compiled the last time.
 *
 * @returns Whether there is such a script: a build for a debugger has none.
 */
function look(): boolean {
  const folder = dirname(fileURLToPath(import.meta.url));
  const filename = join(folder, 'look.cjs');
  if (!existsSync(filename)) return false;
  const source = readFileSync(filename, 'latin1');
  // Its first line says what its content is.
  const name = source.slice(2, source.indexOf('\n'));
  const cachedData = readCompiled(name);
  const script = new Script(`(function(require,__import,__filename,__dirname){${source}\n})`, {
    filename,
    ...(cachedData === null ? {} : { cachedData }),
  });
  // Made at the end, it holds every function that was called.
  if (cachedData === null || script.cachedDataRejected === true)
    process.on('exit', () => keepCompiled(name, script.createCachedData()));
  // Node warns of import() in a script.
  const load = (path: string) => import(path.startsWith('.') ? new URL(path, import.meta.url).href : path);
  script.runInThisContext()(createRequire(filename), load, filename, folder);
  return true;
}

if (!isLook(process.argv.slice(2)) || !look()) {
  // Node 20 can't.
  const { enableCompileCache } = module as { readonly enableCompileCache?: (folder: string) => unknown };
  if (enableCompileCache !== undefined) {
    const build = buildName();
    if (build !== null) keepModules(build, enableCompileCache);
  }
  await import('./main.ts');
}

/** What names the content of this build, by the first line of its script; `null`: it has none. */
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
