import { describe, expect, it } from 'vitest';
import { runWith } from './bench.ts';
import { agents } from './given.ts';
import type { Call } from './model/scenario.ts';
import { doesTheWork, raw, says, shell } from './talk.ts';

const PROMPT = 'Write src/helped.txt for me.';

/** A helper in the background, of those that can have one while they say that they are done. */
const HELPERS: Readonly<Record<string, Call>> = {
  claude: raw('Agent', { prompt: PROMPT, subagent_type: 'general-purpose', description: 'helps' }),
  copilot: raw('task', {
    ...{
      name: 'help',
      prompt: PROMPT,
      agent_type: 'general-purpose',
      description: 'helps',
      mode: 'background',
    },
  }),
};

describe.each(agents())('$name', (agent) => {
  it.runIf(agent.name in HELPERS)(
    'has the time that its helper takes after its own result, and the helper is reviewed',
    async () => {
      const outcome = await runWith(agent, {
        name: 'helper-in-the-background',
        // Longer than what is left running after a result is waited for.
        files: {
          'help.pl': 'select undef, undef, undef, 12; open F, ">src/helped.txt"; print F "helped\\n";\n',
        },
        scenario: (place) => {
          const [first, , last] = doesTheWork(place);
          const help = HELPERS[agent.name];
          return {
            turns: [last],
            answers: ({ results, body }) => {
              if (body.includes('Work on task T-1 only')) {
                if (results.length === 0) return first;
                return results.length === 1 && help !== undefined ? says('Help me.', help) : last;
              }
              if (results.length === 0) return says('I tidy up.', shell(`rm -r ${place.precious}`));
              return results.length === 1
                ? says('I help.', shell('perl help.pl', 60_000))
                : says('I helped.');
            },
          };
        },
      });
      const [record] = outcome.iterations;
      expect(outcome.read('src/helped.txt')).toBe('helped\n');
      expect(record?.facts.review).toMatchObject({ mode: 'hook', denied: 1, unreviewed: null });
      expect(record?.facts.end).toEqual({ kind: 'exited', code: 0 });
      expect(record?.decisions.verdict).toEqual({ kind: 'done' });
      expect(outcome.alive ?? []).toEqual([]);
    },
  );
});
