import { describe, expect, it } from 'vitest';
import { runWith } from './bench.ts';
import { agents } from './given.ts';
import { claim, raw, says, shell } from './talk.ts';

describe.each(agents().filter(({ name }) => name === 'claude'))('$name', (agent) => {
  it('neither takes its work to a copy of its own nor leaves a schedule', async () => {
    const outcome = await runWith(agent, {
      name: 'stays-here',
      // Yours are added, not put in place of ralph's.
      runner: 'extra_args = ["--disallowedTools", "WebFetch", "WebSearch"]',
      scenario: () => ({
        turns: [
          says('A copy.', raw('EnterWorktree', { name: 'away' })),
          says(
            'A schedule.',
            raw('CronCreate', { cron: '* * * * *', prompt: 'go on', recurring: true, durable: true }),
          ),
          says('Later.', raw('ScheduleWakeup', { delaySeconds: 60, reason: 'later', prompt: 'go on' })),
          says('I work.', shell('echo hello from the agent > src/hello.txt')),
          says(`I created src/hello.txt.\n\n${claim('src/hello.txt:1 created')}`),
        ],
      }),
    });
    const [record] = outcome.iterations;
    const results = outcome.requests.at(-1)?.results ?? [];
    expect(results.filter((text) => text.includes('disabled for this session'))).toHaveLength(3);
    expect(record?.facts.changes.changes.map(({ path }) => path)).toEqual(['src/hello.txt']);
    expect(record?.facts.review).toMatchObject({ denied: 0, unreviewed: null });
    expect(record?.decisions.verdict).toEqual({ kind: 'done' });
  });
});
