// `npm run test:agents [-- AGENT ...] [-- VITEST-ARGUMENTS]`: runs ralph with the real agents, which talk to a model on
// the loopback interface. They are installed in exact versions into $RALPH_AGENTS_CACHE (default: a folder below
// node_modules). If the system allows it, the tests run without any other network. RALPH_RECORD=FOLDER keeps
// recordings.
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';

const ROOT = resolve(import.meta.dirname, '..');
const CACHE = resolve(process.env.RALPH_AGENTS_CACHE || join(ROOT, 'node_modules', '.cache', 'ralph-agents'));
const split = process.argv.indexOf('--', 2);
const names = process.argv.slice(2, split < 0 ? undefined : split);
const forVitest = split < 0 ? [] : process.argv.slice(split + 1);

const installed = [];
for (const result of (await installer()).installAll(CACHE, names)) {
  if (result.ok) {
    installed.push(result.installed);
    say(`${result.installed.name}: ${result.installed.version}`);
  } else say(`${result.name}: skipped, ${result.reason}`);
}
if (installed.length === 0) {
  say('No agent could be installed: nothing was tested.');
  process.exit(1);
}

const command = [process.execPath, join(ROOT, 'node_modules', 'vitest', 'vitest.mjs'), 'run'];
const line = [...command, '--config', 'vitest.agents.config.ts', ...forVitest];
const jail = ['unshare', '-n', 'sh', '-c', 'ip link set lo up && exec "$@"', 'sh'];
const jailed = spawnSync(jail[0], [...jail.slice(1), 'true'], { stdio: 'ignore' }).status === 0;
say(
  jailed
    ? 'The agents see no network but the loopback interface.'
    : 'The agents could reach the network: taking it away needs Linux, root, unshare and ip.',
);
const [program, ...args] = jailed ? [...jail, ...line] : line;
// The folder must not be writable for everyone: gemini reads no settings below such a folder.
const scratch = mkdtempSync(join(ROOT, 'node_modules', '.cache', 'agents-'));
const run = spawnSync(program, args, {
  cwd: ROOT,
  stdio: 'inherit',
  env: { ...process.env, TMPDIR: scratch, AGENTS_INSTALLED: JSON.stringify(installed) },
});
rmSync(scratch, { recursive: true, force: true, maxRetries: 5 });
process.exit(run.status ?? 1);

/** Bundles the installer, which is TypeScript like the tests that share its table. */
async function installer() {
  const cache = join(ROOT, 'node_modules', '.cache');
  mkdirSync(cache, { recursive: true });
  const folder = mkdtempSync(join(cache, 'ralph-install-'));
  try {
    const outfile = join(folder, 'install.mjs');
    const entry = join(ROOT, 'test', 'agents', 'install.ts');
    await build({ entryPoints: [entry], outfile, bundle: true, format: 'esm', platform: 'node' });
    return await import(pathToFileURL(outfile).href);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function say(text) {
  process.stdout.write(`${text}\n`);
}
