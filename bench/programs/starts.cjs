// Loaded into ralph with --require: writes a line to $STARTS_FILE for each program that this process starts, with the
// program's name and, for git, the name of the command.
const childProcess = require('node:child_process');
const { appendFileSync } = require('node:fs');
const { syncBuiltinESMExports } = require('node:module');
const { basename } = require('node:path');

/** Options of git that take their value as the next word. */
const WITH_VALUE = new Set(['-c', '-C', '--git-dir', '--work-tree', '--namespace', '--config-env']);

/** Returns the name of a started program: `git -c a=b --git-dir x rev-parse HEAD` is "git rev-parse". */
function nameOf(file, args) {
  const name = basename(file);
  // env and unshare replace themselves by the program that they start, so the start is counted once.
  if (name !== 'git') return name;
  let at = 0;
  while (at < args.length && String(args[at]).startsWith('-')) at += WITH_VALUE.has(args[at]) ? 2 : 1;
  return `git ${args[at] ?? ''}`;
}

const note = (file, args) => appendFileSync(process.env.STARTS_FILE, `${nameOf(file, args)}\n`);

const { spawn } = childProcess.ChildProcess.prototype;
childProcess.ChildProcess.prototype.spawn = function started(options) {
  note(options.file, (options.args ?? []).slice(1));
  return spawn.call(this, options);
};
for (const call of ['spawnSync', 'execFileSync', 'execSync']) {
  const original = childProcess[call];
  childProcess[call] = function startedAndAwaited(file, args, ...rest) {
    note(file, Array.isArray(args) ? args : []);
    return original.call(this, file, args, ...rest);
  };
}
syncBuiltinESMExports();
