// Starts /bin/true in the box of an agent and without one, in turns, and prints how long each took, in milliseconds.
import { execFileSync, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { ADAPTERS } from 'ralph-agents';
import { boxAt, boxStatus } from '../../test/helpers/boxed.ts';

const PROGRAM = '/bin/true';
const [root = '', stateHome = '', rounds = '0'] = process.argv.slice(2);
const { HOME: home = '/' } = process.env;

function boxes() {
  const gitDir = join(root, '.git');
  const agents = Object.values(ADAPTERS).map((adapter) => adapter.home);
  const instructions = () => [join(root, '.ralph', 'PRD.md')];
  return boxAt({ root, gitDir, commonDir: gitDir, stateHome, home, settings: {}, agents, instructions });
}

function timed<T>(work: () => T): { readonly ms: number; readonly value: T } {
  const start = performance.now();
  const value = work();
  return { ms: performance.now() - start, value };
}

if (boxStatus.kind === 'off') {
  process.stdout.write(JSON.stringify({ off: boxStatus.reason }));
} else {
  const box = boxes();
  const agent = { home: ADAPTERS.claude.home, agent: 'claude' };
  const launch = {
    role: 'agent',
    program: PROGRAM,
    cwd: root,
    env: process.env,
    visible: [],
    ...agent,
  } as const;
  const opening: number[] = [];
  const boxed: number[] = [];
  const plain: number[] = [];
  for (let round = 0; round < Number(rounds); round += 1) {
    const opened = timed(() => box.open(launch));
    const { program, args, env } = opened.value;
    const ran = timed(() => execFileSync(program, [...args, '--', PROGRAM], { env, stdio: 'ignore' }));
    opened.value.close();
    opening.push(opened.ms);
    boxed.push(opened.ms + ran.ms);
    plain.push(timed(() => spawnSync(PROGRAM)).ms);
  }
  process.stdout.write(JSON.stringify({ opening, boxed, plain }));
}
