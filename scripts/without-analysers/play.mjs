// Plays commands in the jail of jail.mjs: `node play.mjs bare|off|on|listed`. Prints its observations as one line of
// JSON.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { OWNED } from './jail.mjs';
import { changed, gitState, look } from './look.mjs';
import { OF_PROJECT, SECRETS } from './secrets.mjs';

const [how = 'bare', top = ''] = process.argv.slice(2);
const home = process.env.HOME;
const root = process.env.SHOP;

/** Milliseconds after which a ralph that hangs is ended. */
const LIMIT_MS = 120_000;

cpSync('/given/home', home, { recursive: true, verbatimSymlinks: true, preserveTimestamps: true });
for (const [path, secret] of Object.entries(SECRETS)) writeFileSync(join(home, path), `key = ${secret}\n`);
writeFileSync(join(home, 'shop', '.env'), `KEY=${OF_PROJECT}\n`);
cpSync('/given/etc', '/etc', { recursive: true, verbatimSymlinks: true });
for (const path of OWNED) writeFileSync(join(path, 'canary'), 'of the machine\n');
const remote = join(home, 'remotes', 'shop.git');
spawnSync('git', ['-C', join(home, 'shop'), 'remote', 'set-url', 'origin', remote]);
if (root !== join(home, 'shop'))
  cpSync(join(home, 'shop'), root, { recursive: true, verbatimSymlinks: true, preserveTimestamps: true });

const all = () => ({
  files: new Map([
    ...look(home),
    ...[...OWNED, '/dev'].flatMap((top) => [...look(top)].map(([path, is]) => [`${top}/${path}`, is])),
    ...(root.startsWith(home)
      ? []
      : [...look(join(root, '..'))].map(([path, is]) => [path.replace(/^project\//, 'shop/'), is])),
  ]),
  shop: gitState(root),
  remote: gitState(remote),
  other: gitState(join(home, 'other')),
});

const services = spawn('/usr/bin/node', ['/given/services.mjs'], { stdio: ['ignore', 'pipe', 'inherit'] });
await once(services.stdout, 'data');
const before = all();
const known = new Set(processes().map(([pid]) => pid));
const action = { action: 'run', argv: ['/usr/bin/node', '/given/agent.mjs'] };
const work = { action: 'write', path: 'NOTES.md', content: 'A shop sells things.\n' };
const done = { action: 'status', status: 'DONE', exit_signal: true };
let ralph = { status: null, stdout: '', stderr: '' };
if (how === 'bare') spawnSync(action.argv[0], action.argv.slice(1), { cwd: root, timeout: LIMIT_MS });
else {
  writeFileSync(
    join(root, '.ralph', 'scenario.json'),
    JSON.stringify({ steps: [{ do: [action, work, done] }] }),
  );
  const settings = join(home, '.config', 'ralph');
  spawnSync('mkdir', ['-p', settings]);
  const network = how === 'listed' ? 'network = ["api.example.com", "127.0.0.1:7777"]\n' : '';
  const mode = how === 'off' ? 'off' : 'require';
  writeFileSync(join(settings, 'config.toml'), `[box]\nmode = "${mode}"\n${network}`);
  ralph = spawnSync('/usr/bin/node', [join(top, 'bin', 'ralph.js'), 'run', '--trust'], {
    cwd: root,
    encoding: 'utf8',
    timeout: LIMIT_MS,
    killSignal: 'SIGKILL',
    env: { ...process.env, RALPH_TRUST: '1' },
  });
}
const left = processes().filter(([pid, text]) => !known.has(pid) && text !== '');
const answer = await fetch('http://127.0.0.1:7777/');
const seen = await answer.json();
const { lost, kept } = changed(before, all());
process.stdout.write(
  `RESULT ${JSON.stringify({
    ...{ lost, kept, requests: seen.requests, processes: left.map(([, text]) => text.slice(0, 100)) },
    secrets: [...new Set([...seen.secrets, ...seen.reports.flatMap(({ secrets }) => secrets)])],
    ran: seen.reports,
    ralph: { exit: ralph.status, said: `${ralph.stdout}${ralph.stderr}`.slice(-1500) },
  })}\n`,
);
process.exit(0);

/** Returns the processes that are visible here, with their command lines. */
function processes() {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .map((pid) => {
      try {
        return [pid, readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim()];
      } catch {
        return [pid, ''];
      }
    });
}
