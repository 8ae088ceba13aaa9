import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { BIN, env, ROOT, repository, run, SAYS_DONE, scratch } from '../tools.mjs';

const EARLY = 10;
const LATE = Number(process.env.BENCH_ITERATIONS ?? 1000);

/** An agent that at two iterations has ralph measure its own memory, while ralph waits for the agent. */
const AGENT = `#!/bin/sh
cat > /dev/null
if [ "$RALPH_ITERATION" = ${EARLY} ] || [ "$RALPH_ITERATION" = ${LATE} ]; then
  echo "$RALPH_ITERATION" > measure
  while [ -e measure ]; do sleep 0.01; done
fi
echo "$RALPH_TASK_ID" > "out-$RALPH_ITERATION.txt"
${SAYS_DONE}
`;

export const loopMemory = {
  id: 'loop-memory',
  run: () => {
    const { folder, agent } = repository(100, LATE, AGENT);
    const memory = join(scratch, 'loop-memory');
    const probe = join(ROOT, 'bench', 'programs', 'memory-probe.cjs');
    const argv = ['--expose-gc', '--require', probe, BIN, 'run', '--quiet'];
    run([process.execPath, ...argv], {
      cwd: folder,
      env: { ...env, PATH: `${dirname(agent)}:${env.PATH}`, MEMORY_FILE: memory },
    });
    const [early, late] = [EARLY, LATE].map((number) =>
      JSON.parse(readFileSync(`${memory}.${number}`, 'utf8')),
    );
    const mib = (bytes) => bytes / 1024 / 1024;
    const heap = `heap ${mib(early.heapUsed).toFixed(1)} to ${mib(late.heapUsed).toFixed(1)} MiB`;
    const what = `memory of the loop after ${LATE} iterations, to after ${EARLY} (resident, cleared up; ${heap})`;
    return [{ what, value: mib(late.rss), baseline: mib(early.rss), unit: 'MiB', atMost: 1.2, rounds: 1 }];
  },
};
