// Runs real test runners on small projects, and records their output and exit codes. node scripts/record-runners.mjs
// [--into FOLDER] [RUNNER...]; without names, all runners that have a `projects.mjs` in test/fixtures/runners. Runners
// whose programs are missing are named and left out. The expected reading of a recording (`reads`) is written by hand
// and isn't changed.
import { spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { dirname, join } from 'node:path';
import { parseArgs, stripVTControlCharacters } from 'node:util';

const FIXTURES = join(import.meta.dirname, '..', 'test', 'fixtures', 'runners');
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { into: { type: 'string', default: FIXTURES } },
});
const known = readdirSync(FIXTURES).filter((name) => existsSync(join(FIXTURES, name, 'projects.mjs')));
const scratch = mkdtempSync(join(tmpdir(), 'record-runners-'));
try {
  for (const name of positionals.length > 0 ? positionals : known) await record(name);
} finally {
  // Go makes its module cache read-only, so rights are restored before it is removed.
  spawnSync('chmod', ['-R', 'u+w', scratch]);
  rmSync(scratch, { recursive: true, force: true });
}

async function record(name) {
  const { default: runner } = await import(join(FIXTURES, name, 'projects.mjs'));
  const missing = runner.needs.filter((need) => inShell(need, scratch).status !== 0);
  if (missing.length > 0) {
    process.stdout.write(`${name}: left out, as this fails: ${missing.join(', ')}\n`);
    return;
  }
  // Packages are installed above all projects of the runner, where Node looks for them.
  const home = join(scratch, name);
  const { packages = [] } = runner;
  if (packages.length > 0) {
    mkdirSync(home, { recursive: true });
    writeFileSync(join(home, 'package.json'), '{}\n');
    const installed = inShell(`npm install --no-audit --no-fund ${packages.join(' ')}`, home);
    if (installed.status !== 0) throw new Error(`${name} can't be installed: ${installed.stderr}`);
  }
  const to = join(values.into, name);
  mkdirSync(to, { recursive: true });
  const columns = {};
  for (const [column, { files, run = runner.run }] of Object.entries(runner.columns)) {
    const project = join(scratch, name, column);
    mkdirSync(project, { recursive: true });
    for (const [path, text] of Object.entries({ ...runner.files, ...files })) {
      mkdirSync(dirname(join(project, path)), { recursive: true });
      writeFileSync(join(project, path), text);
    }
    if (runner.setUp !== undefined) inShell(runner.setUp, project);
    const { status, stdout } = inShell(`exec 2>&1; ${run}`, project, home);
    columns[column] = { exit: status };
    const printed = stripVTControlCharacters(stdout)
      .replaceAll(runner.hidden ?? '\0', '')
      .replaceAll(project, '/project')
      .replaceAll(scratch, '/tmp');
    writeFileSync(join(to, `${column}.txt`), printed);
  }
  const version = inShell(runner.version, scratch, home).stdout.trim().split('\n')[0];
  const at = join(to, 'runner.json');
  const before = existsSync(at) ? JSON.parse(readFileSync(at, 'utf8')) : {};
  const recorded = { name: runner.reader ?? name, version, columns, reads: before.reads ?? {} };
  writeFileSync(at, `${inRows(recorded)}\n`);
  const exits = Object.entries(columns).map(([column, { exit }]) => `${column} ${exit}`);
  process.stdout.write(`${name} ${version}: ${exits.join(', ')}\n`);
}

/** Returns the JSON of a runner with each column on a line of its own. */
function inRows({ name, version, ...tables }) {
  const rows = (table) =>
    Object.entries(table).map(([key, value]) => `    ${JSON.stringify(key)}: ${JSON.stringify(value)}`);
  const written = Object.entries(tables).map(
    ([key, table]) => `  "${key}": {\n${rows(table).join(',\n')}\n  }`,
  );
  return `{\n  "name": ${JSON.stringify(name)},\n  "version": ${JSON.stringify(version)},\n${written.join(',\n')}\n}`;
}

/**
 * The system's programs come first: programs of a version manager differ from machine to machine. The rustup version of
 * Rust finds its files by its home folder.
 */
function inShell(command, cwd, packages = null) {
  const home = userInfo().homedir;
  const { CARGO_HOME = join(home, '.cargo'), RUSTUP_HOME = join(home, '.rustup') } = process.env;
  const env = {
    PATH: `${packages === null ? '' : `${packages}/node_modules/.bin:`}${CARGO_HOME}/bin:/usr/local/bin:/usr/bin:/bin:/usr/games:${process.env.PATH}`,
    HOME: scratch,
    LANG: 'C.UTF-8',
    ...{ CARGO_HOME, RUSTUP_HOME },
  };
  const options = { cwd, env, encoding: 'utf8', timeout: 300_000, stdio: ['ignore', 'pipe', 'pipe'] };
  return spawnSync('sh', ['-c', command], options);
}
