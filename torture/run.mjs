// `npm run torture [-- ROW ...] [--dose 0.05] [--seed 7] [--attack NAME|POINT,...] [--parts FILE]`: bundles torture/main.ts and runs it in a scratch folder of
// its own; `npm run torture -- proof SET ...` does the same with torture/proof/main.ts (docs/internals/PROOF_CASES.md). Whatever ends it, no process and no
// file of it stays.
import { spawn, spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bundleWithPlaces } from './bundle.mjs';

const ROOT = join(import.meta.dirname, '..');
const cache = join(ROOT, 'node_modules', '.cache');
mkdirSync(cache, { recursive: true });
// Folder for bundles below node_modules, so that packages that aren't bundled are found from there.
const programs = mkdtempSync(join(cache, 'ralph-torture-'));
const scratch = realpathSync(mkdtempSync(join(tmpdir(), 'ralph-torture-')));
// An ordinary user has to run programs in these folders.
for (const folder of [programs, scratch]) chmodSync(folder, 0o755);

const [first, ...rest] = process.argv.slice(2);
const [entry, args] = first === 'proof' ? ['proof/main.ts', rest] : ['main.ts', process.argv.slice(2)];

let child = null;
let cleaned = false;
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
  process.on(signal, () => {
    child?.kill('SIGKILL');
    cleanUp();
    process.exit(130);
  });
}

try {
  const script = join(programs, 'main.mjs');
  await bundleWithPlaces(join(ROOT, 'torture', entry), script);
  await bundleWithPlaces(join(ROOT, 'torture', 'hostile', 'worker.ts'), join(programs, 'hostile-worker.mjs'));
  child = spawn(process.execPath, ['--expose-gc', script, ...args], {
    stdio: 'inherit',
    env: { ...process.env, TMPDIR: scratch, TORTURE_ROOT: ROOT },
  });
  const code = await new Promise((resolve) => child.once('exit', (exitCode) => resolve(exitCode ?? 1)));
  process.exitCode = code;
} finally {
  cleanUp();
}

function cleanUp() {
  if (cleaned) return;
  cleaned = true;
  for (let round = 0; round < 500 && endProcesses() > 0; round += 1);
  for (const line of mountsBelow(scratch)) spawnSync('umount', ['-l', line]);
  rmSync(scratch, { recursive: true, force: true, maxRetries: 5 });
  rmSync(programs, { recursive: true, force: true, maxRetries: 5 });
}

/** Ends the processes of the run: all of them have the scratch folder in their command line or environment. */
function endProcesses() {
  if (process.platform !== 'linux') return 0;
  const own = readdirSync('/proc').filter(
    (name) => /^\d+$/.test(name) && Number(name) !== process.pid && isOfScratch(name),
  );
  for (const pid of own) {
    try {
      process.kill(Number(pid), 'SIGKILL');
    } catch {
      // The process ended on its own meanwhile.
    }
  }
  return own.length;
}

function isOfScratch(pid) {
  try {
    return ['cmdline', 'environ'].some((file) =>
      readFileSync(`/proc/${pid}/${file}`, 'latin1').includes(scratch),
    );
  } catch {
    return false;
  }
}

function mountsBelow(folder) {
  try {
    return readFileSync('/proc/mounts', 'utf8')
      .split('\n')
      .map((line) => line.split(' ')[1] ?? '')
      .filter((path) => path.startsWith(`${folder}/`))
      .reverse();
  } catch {
    return [];
  }
}
