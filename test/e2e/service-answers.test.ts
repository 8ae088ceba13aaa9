/** @module-tag slow */

import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { makeProject, type Project, SHELL_CLAIM } from '../helpers/cli.ts';

type Recorded = {
  readonly program: string;
  readonly case: string;
  readonly exit: number | null;
  readonly stdout: readonly string[];
  readonly stderr: readonly string[];
};

const file = new URL('../fixtures/service/answers.json', import.meta.url);
const RECORDED = JSON.parse(readFileSync(file, 'utf8')) as readonly Recorded[];

const OUTPUT: Readonly<Record<string, string>> = {
  claude: 'claude-stream',
  codex: 'codex-jsonl',
  copilot: 'copilot-jsonl',
  gemini: 'gemini-stream',
  opencode: 'opencode-json',
  pi: 'pi-json',
};

const TASKS = [1, 2, 3, 4].map((number) => `- [ ] **T-${number}** Write part ${number}\n`).join('');
const DONE = TASKS.replaceAll('[ ]', '[x]');

/** Returns a project with four tasks for an agent that prints a recorded answer, and one that works. */
function night(program: string, what: string, fallback: boolean): Project {
  const recorded = RECORDED.find((one) => one.program === program && one.case === what);
  if (recorded === undefined) throw new Error(`there is no recording of ${program}: ${what}`);
  const { exit, stdout, stderr } = recorded;
  return makeProject({
    '.ralph/PRD.md': TASKS,
    '.ralph/ralph.toml': `[loop]\nagent = "mine"\n${fallback ? 'fallback = ["other"]\n' : ''}[runners.mine]\nargv = ["sh", "./agent.sh"]\noutput = "${OUTPUT[program]}"\n[runners.other]\nargv = ["sh", "./other.sh", "-"]\n`,
    'stdout.jsonl': stdout.map((line) => `${line}\n`).join(''),
    'stderr.txt': stderr.map((line) => `${line}\n`).join(''),
    'agent.sh': `cat >/dev/null\ncat stdout.jsonl\ncat stderr.txt >&2\nexit ${exit ?? 1}\n`,
    'other.sh': `cat >/dev/null\necho other > "$RALPH_TASK_ID.js"\n${SHELL_CLAIM}`,
  });
}

const NIGHTS = [
  ['claude', '400, spending limit with its end', 'rate_limited', 'usage limit'],
  ['claude', '400, prepaid credit used up', 'credit', 'credit used up'],
  ['gemini', 'no key', 'auth', 'not signed in'],
  ['opencode', 'a model that its own list does not have', 'model', 'unknown model'],
  ['gemini', '503, own retries', 'outage', 'service out of reach'],
  ['pi', '400, request too long', 'context', 'request too long'],
  ['codex', '400, against the usage policy', 'refused', 'refused by its service'],
] as const;

describe('a night of four tasks whose agent is refused by its service', () => {
  it.each(NIGHTS)(
    '%s, %s: the fallback does the work, and the first line says why',
    async (program, what, kind, words) => {
      const one = night(program, what, true);
      expect(await one.jsonLater('run')).toMatchObject({ exit_code: 0, ending: 'all_done' });
      expect(one.read('.ralph/PRD.md')).toBe(DONE);
      expect((await one.jsonLater('blocked')).blocked).toEqual([]);
      const [line = ''] = (await one.start('report').ended).stdout.split('\n\n');
      expect(line.replaceAll(/\s+/g, ' ')).toMatch(
        new RegExp(`^4 of 4 tasks done\\. mine couldn't work, so other did: ${words} \\(.*\\bralph \\w+`),
      );
      const [first, second] = [one.iteration(1), one.iteration(2)];
      expect(first.decisions).toMatchObject({ verdict: { kind }, failedAttempt: false });
      expect(second.facts).toMatchObject({ agent: 'other', attempt: 1 });
      expect(
        one.events().find(({ event_type }) => event_type === 'agent_unavailable')?.details,
      ).toMatchObject({
        agent: 'mine',
        verdict: kind,
      });
    },
  );

  it.each(NIGHTS)('%s, %s: without one the run ends, says why, and what helps', async (...row) => {
    const [program, what, , words] = row;
    const one = night(program, what, false);
    const { exit_code, reason, next, iterations } = await one.jsonLater('run', '--no-wait');
    expect({ exit_code, iterations }).toEqual({ exit_code: 9, iterations: 1 });
    expect(reason).toContain(`mine: ${words} (`);
    expect([reason, ...next].join(' ')).toMatch(/\bralph \w+/);
    expect((await one.jsonLater('blocked')).blocked).toEqual([]);
    expect((await one.start('report').ended).stdout).toContain(words);
  });
});
