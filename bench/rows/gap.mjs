import { join } from 'node:path';
import { env, gapsIn, gapsOfRun, median, repository, run, SAYS_DONE, scratch } from '../tools.mjs';

/** Iterations of one measurement; the two loops are measured in turns. */
const ITERATIONS = 12;
const STRETCHES = 3;

/**
 * The shell loop that ralph is compared with, which reads the tree before and after each agent as far as `git status`
 * can tell.
 */
const SHELL_LOOP = `for i in $(seq ${ITERATIONS}); do
  git status --porcelain > ../before; ../codex > ../said; git status --porcelain > ../after; cmp -s ../before ../after || true
done`;

const gapAt = (files, more) => ({
  id: `gap-${files}`,
  run: () => {
    const forRalph = repository(files, ITERATIONS * STRETCHES + 1);
    const forShell = repository(files, 1);
    const [loop, shell] = [[], []];
    for (let stretch = 0; stretch < STRETCHES; stretch += 1) {
      loop.push(...gapsOfRun(forRalph, ITERATIONS));
      const stamps = join(scratch, `shell-${files}-${stretch}`);
      run(['sh', '-c', SHELL_LOOP], { cwd: forShell.folder, env: { ...env, STAMPS: stamps } });
      shell.push(...gapsIn(stamps));
    }
    const what = `gap between agents at ${files} files, committed, to a shell loop with git status before and after`;
    const row = {
      what,
      value: median(loop),
      baseline: median(shell),
      unit: 'ms',
      rounds: loop.length,
      ...more,
    };
    return [row];
  },
});

export const gaps = [gapAt(1000, { atMost: 8 }), gapAt(10_000, { atMost: 4 })];

/** An agent with a child that keeps its pipes open for longer than the loop would want to wait. */
const LEAVES_A_CHILD = `#!/bin/sh
now=$(date +%s%N)
echo "$now" >> "$STAMPS"
sleep 60 &
echo "$now" > "out-$now.txt"
sleep 0.1
${SAYS_DONE}
date +%s%N >> "$STAMPS"
`;

export const heldPipes = {
  id: 'held-pipes',
  run: () => {
    const tasks = ITERATIONS * STRETCHES + 1;
    const [leaving, plain] = [repository(100, tasks, LEAVES_A_CHILD), repository(100, tasks)];
    const [held, free] = [[], []];
    for (let stretch = 0; stretch < STRETCHES; stretch += 1) {
      held.push(...gapsOfRun(leaving, ITERATIONS));
      free.push(...gapsOfRun(plain, ITERATIONS));
    }
    const what = 'gap behind an agent whose child holds its pipes, to one without';
    return [
      { what, value: median(held), baseline: median(free), unit: 'ms', atMost: 1.5, rounds: held.length },
    ];
  },
};
