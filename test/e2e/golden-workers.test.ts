/** @module-tag slow */

import { claim, write } from '../helpers/cli.ts';
import { type Golden, golden, goldenNights } from '../helpers/golden-night.ts';
import { shell } from '../helpers/night.ts';

/** Two tasks that begin wait for each other, so that both work from the same commit. */
const MEET = shell('touch PLACE/{task}; until test -e PLACE/T-1 && test -e PLACE/T-2; do sleep 0.02; done');

const NIGHTS: Readonly<Record<string, Golden>> = {
  workers: {
    night: golden('Write one', 'Write two', 'Write three', 'Write four')
      .toml('[parallel]\nworkers = 2')
      .agent({ do: [MEET, write('{task}.txt', '{task}\n'), claim('{task}.txt:1 its file')] }),
    unordered: true,
  },
  'workers-and-a-liar': {
    night: golden('Write one', 'Write two', 'Write three')
      .toml('[parallel]\nworkers = 2')
      .agent(
        { when: { task: 'T-2' }, do: [MEET, claim()] },
        { do: [MEET, write('{task}.txt', '{task}\n'), claim('{task}.txt:1 its file')] },
      ),
    unordered: true,
  },
  conflict: {
    night: golden('Write one', 'Write two')
      .toml('[parallel]\nworkers = 2')
      .files({ 'shared.txt': 'start\n' })
      .agent(
        {
          // The second task ends after the first has landed.
          when: { task: 'T-2' },
          do: [
            MEET,
            shell('printf "%s T-2\\n" "$(cat shared.txt)" > shared.txt.new && mv shared.txt.new shared.txt'),
            shell('until git -C ROOT log --format=%s main | grep -q T-1; do sleep 0.05; done'),
            claim('shared.txt:1 its name'),
          ],
        },
        {
          do: [
            MEET,
            shell('printf "%s T-1\\n" "$(cat shared.txt)" > shared.txt.new && mv shared.txt.new shared.txt'),
            claim('shared.txt:1 its name'),
          ],
        },
      ),
    unordered: true,
  },
};

goldenNights(NIGHTS);
