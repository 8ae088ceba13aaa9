import { describe, expect, it } from 'vitest';
import { runWith } from './bench.ts';
import { agents } from './given.ts';
import { claim, says, shell, write } from './talk.ts';

/** Eight tasks take a slow agent some minutes. */
const LIMIT_MS = 10 * 60_000;
const TASKS = Array.from({ length: 8 }, (_, at) => `T-${at + 1}`);
const LIST = `# Plan\n\n## Tasks\n\n${TASKS.map((id) => `- [ ] **${id}** Write src/${id}.txt\n`).join('')}`;

describe.each(agents())('$name', (agent) => {
  it(
    'works at eight tasks in two copies: each lands once, with its line in a file that all change',
    async () => {
      const outcome = await runWith(agent, {
        name: 'two-workers',
        limitMs: LIMIT_MS,
        args: ['--max-iterations', '40', '--workers', '2', '--no-wait'],
        timeoutSeconds: 200,
        files: { '.ralph/PRD.md': LIST, 'src/shared.txt': 'start\n' },
        scenario: (place) => ({
          turns: [says('')],
          answers: ({ results, body }) => {
            const id = /Work on task (T-\d) only/.exec(body)?.[1] ?? 'T-1';
            const adds = `grep -qx ${id} src/shared.txt || echo ${id} >> src/shared.txt; cat src/shared.txt`;
            return (
              [
                says('I write the file.', write(place, `src/${id}.txt`, `${id}\n`)),
                says('Now its line.', shell(adds)),
              ][results.length] ?? says(claim(`src/${id}.txt:1 written`).replace('T-1', id))
            );
          },
        }),
      });
      const seen = outcome.iterations.map(({ facts, decisions }) => [facts.task.id, decisions.verdict.kind]);
      const shown = JSON.stringify([outcome.result, seen], null, 1);
      expect(outcome.code, shown).toBe(0);
      expect(new Set(seen.map(([, verdict]) => verdict)), shown).toEqual(new Set(['done', 'conflict']));
      for (const id of TASKS) {
        expect(outcome.read(`src/${id}.txt`)).toBe(`${id}\n`);
        expect(outcome.read('.ralph/PRD.md')).toContain(`- [x] **${id}**`);
      }
      expect(outcome.read('src/shared.txt')?.trim().split('\n').toSorted()).toEqual([...TASKS, 'start']);
      const workers = new Set(outcome.iterations.map(({ facts }) => facts.choice.workers.working.length));
      expect(workers, shown).toContain(1);
      expect(outcome.alive ?? []).toEqual([]);
    },
    LIMIT_MS,
  );
});
