import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runWith, type Trial } from './bench.ts';
import { agents } from './given.ts';
import { codexSettings } from './program-settings.ts';
import { doesTheWork, says, shell } from './talk.ts';

type Switches = {
  readonly agent: string;
  readonly args: readonly string[];
  /** Where the model is, if the switches leave out the settings that say so. */
  readonly provider?: (url: string) => readonly string[];
};

const SWITCHES: readonly Switches[] = [
  { agent: 'claude', args: ['--setting-sources='] },
  { agent: 'claude', args: ['--strict-mcp-config'] },
  { agent: 'claude', args: ['--no-session-persistence'] },
  { agent: 'codex', args: ['--ephemeral'] },
  { agent: 'pi', args: ['--no-session'] },
  { agent: 'codex', args: ['--ignore-user-config'], provider: asArguments },
  { agent: 'copilot', args: ['--max-ai-credits', '1000'] },
];

/** codex's settings, one argument each. */
function asArguments(url: string): readonly string[] {
  let table = '';
  return codexSettings(url)
    .split('\n')
    .flatMap((line) => {
      table = line.startsWith('[') ? `${line.slice(1, -1)}.` : table;
      return line.includes(' = ') ? ['-c', `${table}${line}`] : [];
    });
}

function given({ args, provider }: Switches): Pick<Trial, 'runner'> {
  return { runner: (url) => `extra_args = ${JSON.stringify([...args, ...(provider?.(url) ?? [])])}` };
}

const here = agents().flatMap((agent) =>
  SWITCHES.filter((one) => one.agent === agent.name).map((one) => ({ agent, one, args: one.args.join(' ') })),
);

describe.runIf(here.length > 0)('switches of yours', () => {
  it.each(here)('$agent.name $args: the review is in force, the work counts', async ({ agent, one }) => {
    const outcome = await runWith(agent, {
      name: `switch${one.args.join('')}`,
      ...given(one),
      scenario: (place) => ({
        turns: [says('I tidy up.', shell(`rm -r ${place.precious}`)), ...doesTheWork(place)],
      }),
    });
    const [record] = outcome.iterations;
    const seen = JSON.stringify([record?.facts.end, record?.facts.report, outcome.stderr], null, 1);
    expect(record?.decisions.verdict, seen).toEqual({ kind: 'done' });
    expect(record?.facts.review).toMatchObject({ mode: 'hook', proven: true, denied: 1, unreviewed: null });
    expect(existsSync(join(outcome.precious, 'keep.txt'))).toBe(true);
  });

  it.each(here.filter(({ args }) => /ephemeral|session/.test(args)))(
    '$agent.name $args keeps no session: the next attempt begins anew',
    async ({ agent, one }) => {
      const outcome = await runWith(agent, {
        name: `resumes${one.args.join('')}`,
        ...given(one),
        args: ['--max-iterations', '3'],
        loop: 'resume = true',
        scenario: (place) => ({
          first: { requests: 1, turn: says('Here I stop.') },
          turns: doesTheWork(place),
        }),
      });
      const seen = outcome.iterations.map(({ facts, decisions }) => [decisions.verdict.kind, facts.resumed]);
      expect(seen).toEqual([
        ['no_files', null],
        ['done', null],
      ]);
    },
  );
});
