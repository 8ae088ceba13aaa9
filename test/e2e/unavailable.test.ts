/** @module-tag slow */

import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { makeProject, ONE_TASK, type Project, type ProjectFiles, SHELL_CLAIM } from '../helpers/cli.ts';

const recorded = (name: string) =>
  readFileSync(fileURLToPath(new URL(`../fixtures/transcripts/${name}`, import.meta.url)), 'utf8');

/** The recording of a real agent has this reset time. */
const RECORDED_RESET = '1900000000';
const TRANSCRIPTS: ProjectFiles = {
  'limit.jsonl': recorded('claude/f-usage-limit-subscription.jsonl'),
  'auth.jsonl': recorded('claude/f-401.jsonl'),
  'outage.jsonl': recorded('claude/f-500.jsonl'),
  'codex-limit.jsonl': recorded('codex/f-usage-limit.jsonl'),
};

/** The agent writes a file, and says in claude's stream that the current task is done. */
const WORKS = `echo parse > "$RALPH_TASK_ID.js"
printf '{"type":"result","subtype":"success","is_error":false,"session_id":"s","result":"RALPH_STATUS\\\\nTASK: %s\\\\nSTATUS: DONE\\\\nEXIT_SIGNAL: true\\\\nEND_RALPH_STATUS"}\\n' "$RALPH_TASK_ID"
`;
/** Returns shell text of an agent at a limit that resets in this number of seconds. */
const limitFor = (seconds: number) =>
  `reset=$(( $(date +%s) + ${seconds} )); echo $reset > reset; sed "s/${RECORDED_RESET}/$reset/g" limit.jsonl; exit 1\n`;
/** Returns an agent whose first call ends one way, and later calls another. */
const first = (once: string, then: string) =>
  `cat >/dev/null\necho call >> calls\nif [ "$(wc -l < calls)" -eq 1 ]; then ${once}\nfi\n${then}`;

const CLAUDE = 'argv = ["sh", "./agent.sh"]\noutput = "claude-stream"\n';

function project(agent: string, loop = '', files: ProjectFiles = {}): Project {
  return makeProject({
    '.gitignore': 'calls\nreset\n',
    '.ralph/ralph.toml': `[loop]\nagent = "mine"\n${loop}\n[runners.mine]\n${CLAUDE}\n[runners.other]\nargv = ["sh", "./other.sh", "-"]\n[runners.gone]\nargv = ["./no-such-agent"]\n`,
    'agent.sh': agent,
    'other.sh': `cat >/dev/null\necho other > "$RALPH_TASK_ID.js"\n${SHELL_CLAIM}`,
    ...TRANSCRIPTS,
    ...files,
  });
}

const calls = (one: Project) => one.readCopy('calls').trim().split('\n').length;
const DONE = ONE_TASK.replace('[ ]', '[x]');

describe.concurrent('a usage limit that says when it resets', () => {
  it('is waited for in sight, costs nothing, and then the work continues', async () => {
    const one = project(first(limitFor(20), WORKS));
    const { code, stdout } = await one.start('run', '--max-iterations', '1').ended;
    expect(code).toBe(0);
    expect(stdout).toMatch(
      /\n {2}mine: usage limit, waiting 0:[012]\d, until \d\d:\d\d(?::\d\d)?\n {2}waited \d+(?:\.\d)? s, continuing\n/,
    );
    expect(one.read('.ralph/PRD.md')).toBe(DONE);
    expect(one.iteration(1).decisions).toMatchObject({
      verdict: { kind: 'rate_limited' },
      failedAttempt: false,
      unavailable: { kind: 'rate_limited', tries: 1, resetKnown: true },
      feedback: [],
    });
    expect(one.events()).toMatchObject([
      { event_type: 'agent_unavailable', severity: 'warning', details: { agent: 'mine', given_up: false } },
    ]);
    const { facts } = one.iteration(2);
    expect(facts.attempt).toBe(1);
    const resets = new Date(Number(one.readCopy('reset')) * 1000).toISOString();
    expect(facts.choice?.waits).toMatchObject([
      { wait: { agent: 'mine', cause: 'rate_limited', until: expect.any(String) } },
    ]);
    expect((facts.choice?.waits?.[0]?.wait.until ?? '') >= resets).toBe(true);
    expect((await one.jsonLater('status')).unavailable).toEqual([]);
  });

  it('is waited for on after the run was killed in its wait', async () => {
    const one = project(first(limitFor(20), WORKS));
    const started = one.start('run');
    await started.says('usage limit, waiting');
    started.child.kill('SIGKILL');
    await started.ended;
    const { code, stdout } = await one.start('run').ended;
    expect(code).toBe(0);
    expect(stdout).toContain('mine: usage limit, waiting');
    expect(calls(one)).toBe(2);
    expect(one.read('.ralph/PRD.md')).toBe(DONE);
  });

  it.each([
    { signal: 'SIGINT', code: 130 },
    { signal: 'SIGTERM', code: 143 },
    { signal: 'SIGHUP', code: 129 },
  ] as const)('is not waited for when $signal comes', async ({ signal, code }) => {
    const one = project(first(limitFor(3600), WORKS));
    const started = one.start('run');
    await started.says('usage limit, waiting');
    started.child.kill(signal);
    const ended = await started.ended;
    expect(ended).toMatchObject({ code });
    expect(ended.stdout).toContain('Stopping: nothing is running');
    expect(one.iterations()).toEqual([1]);
    expect(one.read('.ralph/PRD.md')).toBe(ONE_TASK);
  });

  it('ends the run where no wait is allowed, and says what to do; the command that it names helps', async () => {
    const one = project(first(limitFor(3600), WORKS));
    const run = await one.jsonLater('run', '--no-wait');
    expect(run).toMatchObject({ exit_code: 9, ending: 'agent_unavailable', iterations: 1 });
    expect(run.reason).toMatch(/mine: usage limit \(.*\), until \d{4}-.*Z\. No wait is allowed/);
    expect(run.next).toContain('ralph profile --agent mine --reinstate');
    const status = await one.jsonLater('status');
    expect(status.unavailable).toMatchObject([{ agent: 'mine', kind: 'rate_limited', reset_known: true }]);
    expect((await one.start('status').ended).stdout).toMatch(
      /! mine: usage limit, until .*\(in (59 min|1 h)\)/,
    );
    expect((await one.start('tasks').ended).stdout).not.toContain('attempt');
    // The limit is known, so the agent isn't even called.
    const again = await one.start('step', '--no-wait').ended;
    expect(again.code).toBe(9);
    expect(again.stdout).toMatch(/until (\d{4}-\d\d-\d\d )?\d\d:\d\d \(in (59 min|1 h)\)/);
    expect(calls(one)).toBe(1);
    expect(one.ralph('profile', '--agent', 'mine', '--reinstate').code).toBe(0);
    expect(one.ralph('run', '--no-wait').code).toBe(0);
  });

  it('is not waited for longer than max_wait', async () => {
    const one = project(first(limitFor(3600), WORKS), 'max_wait = "10m"\n');
    const run = await one.jsonLater('run');
    expect(run).toMatchObject({ exit_code: 9, reason: expect.stringContaining('max_wait allows (10 min)') });
  });

  it('leaves what the user writes meanwhile to the user', async () => {
    const claims = WORKS.slice(WORKS.indexOf('printf'));
    const one = project(first(limitFor(20), claims));
    const started = one.start('run', '--max-iterations', '1');
    await started.says('usage limit, waiting');
    one.write('mine.txt', 'written in the wait');
    expect(await started.ended).toMatchObject({ code: 3 });
    expect(one.iteration(2).decisions.verdict.kind).toBe('no_files');
  });

  it('is over when the user says so in another terminal', async () => {
    const one = project(first(limitFor(3600), WORKS));
    const started = one.start('run');
    await started.says('usage limit, waiting');
    expect((await one.jsonLater('status')).unavailable).toMatchObject([{ agent: 'mine' }]);
    expect(await one.jsonLater('profile', '--agent', 'mine', '--reinstate')).toMatchObject({ exit_code: 0 });
    expect(await started.ended).toMatchObject({ code: 0 });
  });
});

describe.concurrent('an agent that stands in', () => {
  it('takes over at once, and its work counts', async () => {
    const one = project(first(limitFor(3600), WORKS), 'fallback = ["gone", "other", "mine"]\n');
    const { code, stdout } = await one.start('run').ended;
    expect(code).toBe(0);
    expect(stdout).toContain('! The fallback agent gone is not installed');
    expect(stdout.replace(/\s+/g, ' ')).toMatch(/! other takes over from mine: usage limit \(.*?\), until/);
    expect(one.read('.ralph/PRD.md')).toBe(DONE);
    expect(one.read('T-1.js')).toBe('other\n');
    expect(one.iteration(2).facts).toMatchObject({ agent: 'other', agentOutput: 'text' });
    expect(one.iteration(2).facts.choice?.availability?.agents).toMatchObject([
      { name: 'mine', unavailable: { kind: 'rate_limited' } },
      { name: 'other', unavailable: null },
    ]);
    expect((await one.jsonLater('profile')).profiles).toMatchObject([
      { agent_id: 'mine', total_iterations: 0, unavailable: { kind: 'rate_limited' } },
      { agent_id: 'other', total_iterations: 1, unavailable: null },
    ]);
  });

  it('gives way as soon as the first one can work again', async () => {
    // Ignored files go with the copy of a task, so the count of calls would, too.
    const once = first(limitFor(20), WORKS).replace('"$(wc -l < calls)"', '"$RALPH_ITERATION"');
    const one = project(once, 'fallback = ["other"]\n', {
      '.ralph/PRD.md': `${ONE_TASK}- [ ] **T-2** Write the printer\n`,
      'other.sh': `cat >/dev/null\nuntil [ $(date +%s) -gt $(( $(cat reset) + 1 )) ]; do sleep 0.2; done\necho other > "$RALPH_TASK_ID.js"\n${SHELL_CLAIM}`,
    });
    expect(await one.jsonLater('run')).toMatchObject({ exit_code: 0, iterations: 3 });
    expect([1, 2, 3].map((number) => one.iteration(number).facts.agent)).toEqual(['mine', 'other', 'mine']);
    expect(one.read('T-2.js')).toBe('parse\n');
  });

  it('works for one that is not there, and for one that does not start', async () => {
    const absent = project(WORKS, 'fallback = ["other"]\n');
    const { code, stdout } = await absent.start('run', '--agent', 'gone').ended;
    expect(code).toBe(0);
    expect(stdout).toContain('! gone is not installed; other');
    expect(absent.iteration(1).facts.agent).toBe('other');

    const damaged = project(WORKS, 'fallback = ["other"]\n', { 'no-such-agent': '#!/no/such/shell\n' });
    damaged.write('no-such-agent', '#!/no/such/shell\n');
    const { chmodSync } = await import('node:fs');
    chmodSync(damaged.path('no-such-agent'), 0o755);
    expect(await damaged.jsonLater('run', '--agent', 'gone')).toMatchObject({ exit_code: 0 });
    expect([1, 2].map((number) => damaged.iteration(number).facts.agent)).toEqual(['gone', 'other']);
    expect(damaged.iteration(1).decisions.verdict.kind).toBe('spawn_failed');
  });

  it('works for a suspended one', async () => {
    const one = project(
      'cat >/dev/null\nprintf \'{"type":"result","is_error":false,"result":"RALPH_STATUS\\\\nSTATUS: DONE\\\\nEXIT_SIGNAL: true\\\\nEND_RALPH_STATUS"}\\n\'\n',
      'fallback = ["other"]\nmax_attempts_per_task = 9\n[interventions]\naggressive_mode = true\n',
    );
    const { code, stdout } = await one.start('run').ended;
    expect(code).toBe(0);
    expect(stdout).toContain('! other takes over from mine: suspended for review');
    expect([1, 2, 3].map((number) => one.iteration(number).facts.agent)).toEqual(['mine', 'mine', 'other']);
  });

  it("doesn't help when it has reached a limit, too: the run waits for the one that can work first", async () => {
    const one = project(first(limitFor(20), WORKS), 'fallback = ["other"]\n', {
      '.ralph/ralph.toml': `[loop]\nagent = "other"\nfallback = ["mine"]\n[runners.mine]\n${CLAUDE}\n[runners.other]\nargv = ["sh", "./other.sh", "-"]\noutput = "codex-jsonl"\n`,
      'other.sh': 'cat >/dev/null\ncat codex-limit.jsonl\nexit 1\n',
    });
    const { code, stdout } = await one.start('run').ended;
    expect(code).toBe(0);
    expect(stdout).toContain('mine: usage limit, waiting');
    expect([1, 2, 3].map((number) => one.iteration(number).facts.agent)).toEqual(['other', 'mine', 'mine']);
    const until = one.iteration(1).decisions.unavailable?.until ?? '';
    expect(until.startsWith('2030-03-1')).toBe(true);
  });
});

describe.concurrent('a sign-in or a service that fails', () => {
  it.each([
    { what: 'auth', words: 'not signed in', next: 'ralph doctor' },
    { what: 'outage', words: 'service out of reach', next: 'ralph run' },
  ] as const)('is tried again later ($what), in a new run at once', async ({ what, words, next }) => {
    const one = project(`cat >/dev/null\necho call >> calls\ncat ${what}.jsonl\nexit 1\n`, 'max_wait = 10\n');
    for (const number of [1, 2]) {
      const run = await one.jsonLater('run');
      expect(run).toMatchObject({ exit_code: 9, ending: 'agent_unavailable', iterations: 1 });
      expect(run.reason).toContain(`mine: ${words} (`);
      expect(run.next[0]).toBe(next);
      const { verdict, unavailable } = one.iteration(number).decisions;
      expect(verdict.kind).toBe(what);
      expect(unavailable).toMatchObject({ tries: 1, resetKnown: false });
    }
    expect(calls(one)).toBe(2);
    expect((await one.jsonLater('blocked')).blocked).toEqual([]);
    expect((await one.start('prompt').ended).stdout).toContain('This is attempt 1 of 3');
  });
});

describe('a command of yours that prints plain text', () => {
  const WORDS = 'limit = "credits? (?:are )?used up"\noutage = "backend is down"\n';
  const plain = (agent: string) =>
    makeProject({
      '.ralph/ralph.toml': `[loop]\nagent = "mine"\n[runners.mine]\nargv = ["sh", "./agent.sh", "-"]\n${WORDS}`,
      'agent.sh': `cat > /dev/null\n${agent}`,
    });

  it.each([
    ['has reached its limit', 'echo "Your credits are used up, try again in 2 hours"', 'rate_limited'],
    ['is without its service', 'echo "the backend is down" >&2; exit 1', 'outage'],
  ])('%s, by the words that you gave', (_what, agent, kind) => {
    const one = plain(agent);
    expect(one.json('run', '--no-wait')).toMatchObject({ exit_code: 9, ending: 'agent_unavailable' });
    const { decisions } = one.iteration(1);
    expect(decisions.verdict.kind).toBe(kind);
    expect(decisions.failedAttempt).toBe(false);
  });

  it("doesn't count as that where it only writes about it", () => {
    const one = plain(
      `echo "Shown when credits are used up" > a.txt\necho "I show it when credits are used up."\n${SHELL_CLAIM}`,
    );
    expect(one.json('run').exit_code).toBe(0);
  });

  it('has words that are regular expressions', () => {
    const one = makeProject({ '.ralph/ralph.toml': '[runners.mine]\nargv = ["x"]\nlimit = "("\n' });
    const { code, stderr } = one.ralph('run');
    expect(code).toBe(2);
    expect(stderr).toContain('expected a regular expression');
  });
});
