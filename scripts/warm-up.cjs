'use strict';
// Runs the commands whose start-up is promised, on a small repository, and keeps the code that V8 compiled for them:
// `node warm-up.cjs DIST`. Started by build.mjs.
const { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } = require('node:fs');
const { tmpdir } = require('node:os');
const { join } = require('node:path');
const vm = require('node:vm');

const dist = process.argv[2];
const scripts = new Map();
vm.Script = class extends vm.Script {
  constructor(source, options) {
    super(source, options);
    scripts.set(options.filename, this);
  }
};

const folder = mkdtempSync(join(tmpdir(), 'ralph-build-'));
for (const name of Object.keys(process.env)) if (/^(RALPH|GIT)_/.test(name)) delete process.env[name];
Object.assign(process.env, { HOME: folder, XDG_STATE_HOME: folder, XDG_CONFIG_HOME: folder });

/** What ralph looks for in a repository, without git. */
function makeRepository() {
  for (const path of ['.git/objects', '.git/refs', '.ralph']) {
    mkdirSync(join(folder, path), { recursive: true });
  }
  writeFileSync(join(folder, '.git/HEAD'), 'ref: refs/heads/main\n');
  writeFileSync(join(folder, '.git/config'), '[core]\n\trepositoryformatversion = 0\n\tbare = false\n');
  writeFileSync(join(folder, '.ralph/ralph.toml'), '[loop]\nagent = "x"\n[runners.x]\nargv = ["x", "-"]\n');
  writeFileSync(join(folder, '.ralph/PRD.md'), '## Tasks\n- [ ] **A** One\n  - works\n- [-] Two\n');
}

/** Runs the command line in this process; it prints to nowhere. */
function commandLine(...argv) {
  const main = join(dist, 'cli/main.js');
  delete require.cache[main];
  process.argv = [process.execPath, main, ...argv];
  require(main);
}

async function main() {
  makeRepository();
  const [queries, history] = ['queries.js', 'history.js'].map((name) =>
    require(join(dist, 'app/commands', name)),
  );
  const cwd = folder;
  const filter = { last: null, type: null, severity: null, task: null, reset: false };
  for (let round = 0; round < 2; round += 1) {
    await queries.status({ cwd });
    await queries.blocked({ cwd });
    await history.feedback({ cwd, action: 'add', text: `guidance ${round}`, task: null });
    await history.interventions({ cwd, ...filter });
  }
  commandLine('--help');
  commandLine('status', '--cwd', folder);
}

process.on('exit', () => {
  for (const [path, script] of scripts) {
    writeFileSync(`${path}.cache.new`, script.createCachedData());
    renameSync(`${path}.cache.new`, `${path}.cache`);
  }
  rmSync(folder, { recursive: true, force: true });
});
main();
