'use strict';
// Runs the commands whose start-up is promised, on a small repository, and keeps the code that V8 compiled for them:
// `node warm-up.cjs DIST BUNDLE ...`. Started by build.mjs.
const { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } = require('node:fs');
const { tmpdir } = require('node:os');
const { join } = require('node:path');
const vm = require('node:vm');

const [dist, ...bundles] = process.argv.slice(2);
const scripts = [];
vm.Script = class extends vm.Script {
  constructor(source, options) {
    super(source, options);
    scripts.push({ path: `${options.filename}.cache`, script: this });
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

async function main() {
  makeRepository();
  const call = { cwd: folder, print: async () => {} };
  const commands = bundles.map((bundle) => require(join(dist, bundle)));
  for (let round = 0; round < 2; round += 1) {
    for (const { run } of commands) await run(call, {});
  }
  for (const { path, script } of scripts) {
    writeFileSync(`${path}.new`, script.createCachedData());
    renameSync(`${path}.new`, path);
  }
}

main().finally(() => rmSync(folder, { recursive: true, force: true }));
