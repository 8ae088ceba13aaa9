import { chmodSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { bundleWithPlaces } from '../../torture/bundle.mjs';
import { BIN, env, programs, ROOT, run, SAYS_DONE, scratch } from '../tools.mjs';

const TASKS = 16;
/** Seconds of an agent and of a gate: ten seconds and two, played five times as fast. */
const [AGENT, GATES] = [2, 0.4];
const PLACES = 2;
/** Numbers of workers with the speed that the virtual clock promises; a real night is shown beside it. */
const PROMISED = [
  [2, 1.9],
  [4, 3.4],
];

const SCRIPT = `#!/bin/sh
sleep ${AGENT}
echo "$RALPH_TASK_ID" > "out-$RALPH_TASK_ID.txt"
${SAYS_DONE}
`;

export const workers = {
  id: 'workers',
  run: async () => {
    const script = join(programs, 'workers.mjs');
    await bundleWithPlaces(join(ROOT, 'bench', 'programs', 'workers.ts'), script);
    const figures = [TASKS, PLACES, AGENT, GATES, ...PROMISED.map(([count]) => count)].map(String);
    const { stdout } = run([process.execPath, script, ...figures]);
    const virtual = stdout.trim().split('\n').map(Number);
    const alone = night(1);
    return PROMISED.map(([count, atLeast], at) => {
      const real = alone / night(count);
      return {
        what: `${count} workers to one, ${TASKS} tasks by the queue on a virtual clock (a real run here: ${real.toFixed(2)})`,
        value: virtual[at],
        baseline: 1,
        unit: '×',
        atLeast,
        rounds: 1,
      };
    });
  },
};

/** Returns the seconds of a real run with a number of workers. */
function night(count) {
  const place = mkdtempSync(join(scratch, 'workers-'));
  const [folder, agent] = [join(place, 'repo'), join(place, 'codex')];
  writeFileSync(agent, SCRIPT);
  chmodSync(agent, 0o755);
  run(['git', 'init', '--quiet', '--initial-branch=main', '--template=', folder]);
  mkdirSync(join(folder, '.ralph'));
  const list = Array.from({ length: TASKS }, (_, at) => `- [ ] **T-${at + 1}** Task ${at + 1}\n`);
  writeFileSync(join(folder, '.ralph/PRD.md'), `## Tasks\n${list.join('')}`);
  writeFileSync(
    join(folder, '.ralph/ralph.toml'),
    `[loop]\nagent = "codex"\n[git]\ncommit = "on_done"\n[review]\nenabled = false\n[proof]\nmode = "off"\n[gates]\ncommands = ["sleep ${GATES}"]\n[parallel]\nworkers = ${count}\ngate_slots = ${PLACES}\n`,
  );
  run(['git', 'add', '-A'], { cwd: folder });
  run(['git', 'commit', '--quiet', '-m', 'start'], { cwd: folder });
  const start = performance.now();
  const inside = { ...env, PATH: `${dirname(agent)}:${env.PATH}` };
  run([process.execPath, BIN, 'run', '--quiet'], { cwd: folder, env: inside });
  return (performance.now() - start) / 1000;
}
