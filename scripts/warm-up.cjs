'use strict';
// Runs the commands whose start-up is promised, on a small repository, and keeps the code that V8 compiled for them:
// `node warm-up.cjs DIST BUNDLE ...`. Started by build.mjs.
const { spawnSync } = require('node:child_process');
const { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } = require('node:fs');
const { tmpdir } = require('node:os');
const { join } = require('node:path');
const v8 = require('node:v8');
const vm = require('node:vm');

const [dist, ...bundles] = process.argv.slice(2);
const scripts = [];
vm.Script = class extends vm.Script {
  constructor(source, options) {
    super(source, options);
    scripts.push({ path: `${options.filename}.cache`, script: this });
  }
};

// V8 takes compiled code only where its flags are the same, and a run changes some for its own process.
v8.setFlagsFromString = () => {};

const folder = mkdtempSync(join(tmpdir(), 'ralph-build-'));
for (const name of Object.keys(process.env)) if (/^(RALPH|GIT)_/.test(name)) delete process.env[name];
Object.assign(process.env, {
  HOME: folder,
  XDG_STATE_HOME: folder,
  XDG_CONFIG_HOME: folder,
  RALPH_TRUST: '1',
});

const agent = `[loop]\nagent = "x"\n[runners.x]\nargv = ["true"]\n`;

/** One with a commit, as a run needs it; without git at least what ralph looks for. */
function makeRepository() {
  const git = (...args) => spawnSync('git', ['-C', folder, ...args], { stdio: 'ignore' });
  for (const path of ['.git/objects', '.git/refs', '.ralph'])
    mkdirSync(join(folder, path), { recursive: true });
  writeFileSync(join(folder, '.git/HEAD'), 'ref: refs/heads/main\n');
  writeFileSync(join(folder, '.git/config'), '[core]\n\trepositoryformatversion = 0\n\tbare = false\n');
  writeFileSync(join(folder, '.ralph/ralph.toml'), agent);
  writeFileSync(join(folder, '.ralph/PRD.md'), '## Tasks\n- [ ] **A** One\n  - works\n- [-] Two\n');
  git('-c', 'user.name=x', '-c', 'user.email=x', 'commit', '-q', '--allow-empty', '-m', 'start');
}

async function main() {
  makeRepository();
  const call = {
    cwd: folder,
    name: '',
    format: 'json',
    quiet: true,
    onNotice: () => {},
    print: async () => {},
  };
  const commands = bundles.map((bundle) => ({
    ...require(join(dist, bundle)),
    // `report` takes a run, the others options.
    given: bundle.endsWith('/report.js') ? null : { maxIterations: 1 },
  }));
  for (let round = 0; round < 2; round += 1) {
    for (const { run, refuseInside, given } of commands) await (run ?? refuseInside)(call, given);
  }
  for (const { path, script } of scripts) {
    writeFileSync(`${path}.new`, script.createCachedData());
    renameSync(`${path}.new`, path);
  }
}

main().finally(() => {
  rmSync(folder, { recursive: true, force: true });
  process.exitCode = 0;
});
