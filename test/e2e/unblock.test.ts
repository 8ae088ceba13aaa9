/** @module-tag rest */

import { chmodSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { makeProject, type Project, SHELL_CLAIM } from '../helpers/cli.ts';
import { paste } from '../helpers/ralph-on-path.ts';

/** The agent acts by the beginning of the task's id; once `.ralph/fixed` exists it does all tasks. */
const AGENT = `cat > /dev/null
finish() { echo "$RALPH_ITERATION" > "done-$RALPH_ITERATION.txt"; ${SHELL_CLAIM.trim()}; exit 0; }
case "$RALPH_TASK_ID" in
  wait*) : > waiting; while [ ! -e .ralph/go ]; do sleep 0.02; done; finish ;;
esac
[ -e .ralph/fixed ] && finish
case "$RALPH_TASK_ID" in
  late*) echo "$RALPH_ITERATION" > late.txt; sleep 4; finish ;;
  hang*) echo "$RALPH_ITERATION" > late.txt; sleep 60 ;;
  tool*) rm -f lint; echo "$RALPH_ITERATION" > tool.txt; ${SHELL_CLAIM.trim()} ;;
  net*) echo "connect ECONNREFUSED 127.0.0.1:443" >&2; exit 1 ;;
  ask*) printf 'RALPH_STATUS\\nTASK: %s\\nSTATUS: BLOCKED\\nEXIT_SIGNAL: false\\nREASON: Which colour?\\nEND_RALPH_STATUS\\n' "$RALPH_TASK_ID" ;;
  odd*|lie*) ${SHELL_CLAIM.trim()} ;;
  *) [ "$RALPH_AGENT" = good ] && finish; echo "$RALPH_ITERATION" > bad.txt; exit 3 ;;
esac
`;

const RUNNERS = `[runners.mine]
argv = ["sh", "./agent.sh", "-"]
[runners.good]
argv = ["sh", "./agent.sh", "-"]
`;

/** The timeout is 2 s, which nothing scales, and each task has one attempt. */
const SETTINGS = `[loop]
agent = "mine"
max_attempts_per_task = 1
[modes.speed]
timeout = 2
[adaptive_timeout]
min_timeout = 0
complexity_scaling = false
failure_scaling = false
learned = false
`;

type Story = { readonly id: string; readonly acceptance?: readonly string[]; readonly timeout?: string };

function project(stories: readonly (Story | string)[], settings = ''): Project {
  const tasks = stories
    .map((story) => (typeof story === 'string' ? { id: story } : story))
    .map(({ acceptance = [], ...story }) => ({
      ...story,
      title: `Write ${story.id}`,
      acceptance,
      complexity: 'medium',
      status: 'open',
    }));
  const made = makeProject({
    '.ralph/prd.json': `${JSON.stringify({ tasks }, null, 2)}\n`,
    '.ralph/ralph.toml': `${SETTINGS}[tracker]\npath = ".ralph/prd.json"\n${RUNNERS}${settings}`,
    'agent.sh': AGENT,
    lint: '#!/bin/sh\n',
  });
  chmodSync(made.path('lint'), 0o755);
  made.git('commit', '-qam', 'A linter that can be started');
  return made;
}

const status = (one: Project, id: string) =>
  JSON.parse(one.read('.ralph/prd.json')).tasks.find((task: Story) => task.id === id).status;

const fix = (one: Project) => one.write('.ralph/fixed', '');

// The second criterion names a folder.
const SIX = ['`README.md` exists', '`.git/info` exists', 'c', 'd', 'e', 'f'];

describe('a run that ends in a blocked task', () => {
  it.concurrent.each([
    { strategy: 'increase_timeout', story: 'late-1', reason: 'timeout' },
    { strategy: 'skip_subtasks', story: { id: 'lie-1', acceptance: SIX }, reason: 'no_files' },
    {
      strategy: 'fix_gate_tooling',
      story: 'tool-1',
      reason: 'gate_tool_missing',
      settings: '[gates]\ncommands = ["./lint"]\n',
    },
    { strategy: 'show_evidence', story: "odd 'task' $(touch pwned) #1", reason: 'no_files' },
  ])(
    'names $strategy, and its command gives the task a new start',
    async ({ strategy, story, reason, settings }) => {
      const one = project([story], settings);
      const id = typeof story === 'string' ? story : story.id;
      const run = await one.start('run').ended;
      expect(run.code).toBe(4);
      expect(status(one, id)).toBe('blocked');
      const [entry] = (await one.jsonLater('blocked', '--suggest')).blocked;
      expect(entry).toMatchObject({ id, reason, attempts: 1, suggestion: { strategy } });
      expect(run.stdout).toContain(`\n      ${entry.suggestion.command}\n`);

      const pasted = paste(one, entry.suggestion.command);
      expect(pasted.stderr).toBe('');
      expect(pasted.code).toBe(0);
      expect(status(one, id)).toBe('open');
      expect(one.exists('pwned')).toBe(false);
      one.program('lint', '#!/bin/sh\n');
      fix(one);
      if (one.git('status', '--porcelain', '--', '.', ':!.ralph') !== '') one.commitAll('fixed');
      expect((await one.start('run').ended).code).toBe(0);
      expect(status(one, id)).toBe('done');
    },
  );

  it('names switch_agent where another one did better', async () => {
    const one = project(['T-1', 'T-2', 'T-3', 'T-4']);
    expect((await one.start('run', '--agent', 'good', '--max-iterations', '3').ended).code).toBe(3);
    const run = await one.start('run').ended;
    expect(run.code).toBe(4);
    const [{ suggestion }] = one.json('blocked', '--suggest', '--json').blocked;
    expect(suggestion).toMatchObject({ strategy: 'switch_agent', agent: 'good' });
    const pasted = paste(one, suggestion.command);
    expect([pasted.code, pasted.stderr]).toEqual([0, '']);
    expect(status(one, 'T-4')).toBe('done');
  });

  it('names manual_review where the agent asks, and shows what it said', async () => {
    const one = project(['ask-1']);
    expect((await one.start('run').ended).code).toBe(4);
    const [{ suggestion }] = one.json('blocked', '--suggest').blocked;
    expect(suggestion.strategy).toBe('manual_review');
    const pasted = paste(one, suggestion.command);
    // A placeholder for your words isn't an answer.
    expect(pasted.code).toBe(2);
    expect(pasted.stderr).toContain('Which colour?');
    const shown = () => one.ralph('status').stdout.replace(/\s+/g, ' ');
    expect(shown()).toContain('1 needs you.');
    expect(one.ralph('unblock', 'ask-1').code).toBe(0);
    expect(shown()).not.toContain('needs you');
    expect(shown()).toContain('Last run: ');
  });

  it('names manual_review when an unblock did not help, and keeps the earlier attempts', async () => {
    const one = project(['lie-1'], '[unblock]\nauto_suggest = false\n');
    const quiet = await one.start('run').ended;
    expect(quiet.stdout).not.toContain('show_evidence');
    expect(one.ralph('unblock', 'lie-1', '--reason', 'another try').code).toBe(0);
    expect((await one.start('run').ended).code).toBe(4);
    const [entry] = one.json('blocked', '--suggest').blocked;
    expect(entry.suggestion.strategy).toBe('manual_review');
    expect(entry.history).toMatchObject([{ reason: 'another try', block_reason: 'no_files', attempts: 1 }]);
  });

  it('is told in eighty columns, but for the commands', async () => {
    const one = project([{ id: 'lie-1', acceptance: SIX }, 'late-1', 'net-1']);
    await one.start('run').ended;
    for (const args of [['blocked'], ['blocked', '--suggest']]) {
      const { stdout } = await one.start(...args).ended;
      const lines = stdout.split('\n').filter((line) => !line.startsWith('  ralph '));
      expect(lines.filter((line) => line.length > 80)).toEqual([]);
    }
  });
});

describe('ralph unblock', () => {
  async function blockedProject() {
    const one = project(['lie-1', 'late-1', 'ask-1', 'T-4']);
    fixOnly(one);
    expect((await one.start('run').ended).code).toBe(4);
    return one;
  }
  /** Marks T-4 as done by hand, so that one task isn't blocked. */
  const fixOnly = (one: Project) =>
    one.write(
      '.ralph/prd.json',
      one.read('.ralph/prd.json').replace(/("id": "T-4"[^}]*"status": )"open"/, '$1"done"'),
    );

  it('changes nothing where it cannot do all that was asked', async () => {
    const one = await blockedProject();
    const files = ['.ralph/journal.jsonl', '.ralph/prd.json', '.ralph/state.json'];
    const before = files.map((name) => one.read(name));
    const BLOCKED =
      'Blocked: lie-1 (no_files, medium), late-1 (timeout, medium), ask-1 (agent_reported_blocked, medium)';
    const wrong = [
      [['lie-1', 'lie-9'], 'There is no task lie-9.', 'Next: ralph tasks'],
      [['lie-1', 'T-4'], "T-4 isn't blocked; it is done.", 'Next: ralph explain T-4'],
      [[], 'Which task?', BLOCKED],
      [['lie-1', '--timeout', 'soon'], `--timeout "soon" isn't a duration`, '30m'],
      [['lie-1', '--timeout', '-5'], `--timeout "-5" isn't a duration`, '30m'],
      [['lie-1', '--timeout', '0'], `--timeout "0" isn't a duration`, '30m'],
      [['lie-1', '--timeout', 'NaN'], "isn't a duration", '30m'],
      [['lie-1', '--timeout-multiplier', 'three'], `--timeout-multiplier "three" isn't a factor`, '3.0'],
      [['lie-1', '--timeout', '5', '--timeout-multiplier', '3'], 'exclude each other', ''],
      [['--filter', 'ui_heavy'], 'No blocked task matches "ui_heavy"', BLOCKED],
      [['--filter', 'gate_failed'], 'No blocked task matches "gate_failed"', BLOCKED],
      [['--filter', 'X-*'], 'No blocked task matches "X-*"', BLOCKED],
      [['lie-1', '--filter', 'lie-*'], 'not both', ''],
    ] as const;
    await Promise.all(
      wrong.map(async ([args, message, hint]) => {
        const { code, stderr, stdout } = await one.start('unblock', ...args).ended;
        expect([args, code, stdout]).toEqual([args, 2, '']);
        expect(stderr).toContain(message);
        expect(stderr).toContain(hint);
      }),
    );
    const { exit_code, error } = one.json('unblock', 'nope', '--json');
    expect([exit_code, error.next]).toEqual([2, 'ralph tasks']);
    expect((await one.start('retry-blocked', '--filter', 'X-*').ended).code).toBe(2);
    expect((await one.start('retry-blocked', '--max-attempts', '0').ended).code).toBe(2);
    expect(files.map((name) => one.read(name))).toEqual(before);
  });

  it('takes several at once, by id, reason or pattern, with a timeout of any kind', async () => {
    const one = await blockedProject();
    const byId = one.json('unblock', 'lie-1', 'ask-1', '--timeout', '2h');
    expect(byId.unblocked).toMatchObject([
      { id: 'lie-1', timeout_seconds: 7200, block_reason: 'no_files' },
      { id: 'ask-1', timeout_seconds: 7200 },
    ]);
    expect(byId.mark).toBe('taken_away');
    expect(byId.warnings[0]).toContain('above max_timeout');
    const byReason = one.json('unblock', '--filter', 'timeout', '--timeout-multiplier', '3.0');
    expect(byReason.unblocked).toMatchObject([{ id: 'late-1', timeout_seconds: 6 }]);
    expect(one.json('blocked').blocked).toEqual([]);
    expect(one.json('explain', 'late-1').task.timeout_seconds).toBe(6);
    expect((await one.start('run', '--task', 'late-1').ended).code).toBe(0);
    // The timeout was valid until the task was done.
    expect(one.json('tasks').tasks[1]).toMatchObject({ id: 'late-1', status: 'done', timeout_seconds: 2 });
  });

  it('takes away a mark that someone made by hand', () => {
    const one = project(['T-1']);
    one.write('.ralph/prd.json', one.read('.ralph/prd.json').replace('"open"', '"blocked"'));
    expect(one.json('blocked', '--suggest').blocked).toMatchObject([
      { id: 'T-1', reason: 'marked_in_tracker', suggestion: { command: 'ralph unblock T-1' } },
    ]);
    expect(one.ralph('unblock', 'T-1').code).toBe(0);
    expect(status(one, 'T-1')).toBe('open');
  });

  it('works while a run is active, which then starts the task', async () => {
    const one = project(['lie-1', { id: 'wait-2', timeout: '60s' }]);
    const run = one.start('run');
    await one.appears('waiting');
    const unblocked = one.json('unblock', 'lie-1', '--reason', 'fixed', '--timeout', '30m');
    expect(unblocked).toMatchObject({ exit_code: 0, mark: 'left_to_the_run' });
    // The mark is still there while the agent works, but no longer counts.
    expect(status(one, 'lie-1')).toBe('blocked');
    expect(one.json('blocked').blocked).toEqual([]);
    fix(one);
    one.write('.ralph/go', '');
    const { code, stdout } = await run.ended;
    expect(stdout).not.toContain('was put back');
    expect(code).toBe(0);
    expect([status(one, 'lie-1'), status(one, 'wait-2')]).toEqual(['done', 'done']);
    expect(one.iteration(3).facts).toMatchObject({ task: { id: 'lie-1' }, timeoutSeconds: 1800, attempt: 1 });
    const seqs = one
      .read('.ralph/journal.jsonl')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line).seq);
    expect(seqs).toEqual(seqs.map((_, index) => index + 1));
    expect(one.events().map(({ event_type }) => event_type)).not.toContain('state_tampering');
  });
});

describe('a run that is killed', () => {
  it('leaves a mark that counts no more, and the next run takes it away', async () => {
    const one = project(['lie-1', { id: 'wait-2', timeout: '60s' }]);
    const run = one.start('run');
    await one.appears('waiting');
    expect(one.json('unblock', 'lie-1').mark).toBe('left_to_the_run');
    run.child.kill('SIGKILL');
    await run.ended;
    expect(status(one, 'lie-1')).toBe('blocked');
    expect(one.json('tasks').tasks[0]).toMatchObject({ id: 'lie-1', status: 'open' });
    fix(one);
    one.write('.ralph/go', '');
    expect((await one.start('run').ended).code).toBe(0);
    expect([status(one, 'lie-1'), status(one, 'wait-2')]).toEqual(['done', 'done']);
  });
});

describe('ralph retry-blocked', () => {
  it('runs what needs nothing from the user, and names what does', async () => {
    const one = project(['late-1', 'lie-2', 'ask-3', 'T-4']);
    one.write(
      '.ralph/prd.json',
      one.read('.ralph/prd.json').replace(/("id": "T-4"[^}]*"status": )"open"/, '$1"done"'),
    );
    expect((await one.start('run').ended).code).toBe(4);
    const result = one.json('retry-blocked', '--json');
    expect(result).toMatchObject({
      exit_code: 4,
      iterations: 2,
      retried: [
        { id: 'late-1', strategy: 'increase_timeout', timeout_seconds: 60 },
        { id: 'lie-2', strategy: 'show_evidence' },
      ],
      not_retried: [{ id: 'ask-3', strategy: 'manual_review' }],
    });
    expect(['late-1', 'lie-2', 'ask-3'].map((id) => status(one, id))).toEqual(['done', 'blocked', 'blocked']);
    expect(one.promptOf(5)).toContain('Write the changes to files, then name each file as evidence.');
    // A retry that didn't help needs you now.
    const again = await one.start('retry-blocked').ended;
    expect(again.code).toBe(4);
    expect(again.stdout).toContain('Not retried');
    expect(one.iterations()).toHaveLength(5);
  });

  it('says with --dry-run what would be run, in the limits that it would have, and does nothing', async () => {
    const one = project(['late-1', 'ask-2']);
    expect((await one.start('run').ended).code).toBe(4);
    const before = one.read('.ralph/journal.jsonl');
    expect(one.json('retry-blocked', '--dry-run')).toMatchObject({
      exit_code: 0,
      dry_run: true,
      retried: [{ id: 'late-1', strategy: 'increase_timeout', timeout_seconds: 60 }],
      not_retried: [{ id: 'ask-2' }],
    });
    const times = ['--timeout-multiplier', '3.0'];
    expect(one.json('retry-blocked', '--dry-run', ...times).retried).toMatchObject([{ timeout_seconds: 6 }]);
    const { stdout } = one.ralph('retry-blocked', '--dry-run', '--filter', 'late-*', ...times);
    expect(stdout).toBe('Would be retried:\n  late-1: more time (limit 6.0 s)\n');
    expect(one.read('.ralph/journal.jsonl')).toBe(before);
    expect(one.json('retry-blocked', '--dry-run', '--timeout-multiplier', 'x').exit_code).toBe(2);
  });

  it('gives a retried task the limit that unblock would, with the same factor', async () => {
    const one = project(['late-1']);
    expect((await one.start('run').ended).code).toBe(4);
    const result = one.json('retry-blocked', '--timeout-multiplier', '40', '--filter', 'all');
    expect(result).toMatchObject({ exit_code: 0, retried: [{ id: 'late-1', timeout_seconds: 80 }] });
    expect(one.iteration(2).facts.timeoutSeconds).toBe(80);
  });

  it('says before it begins how much that may be: three iterations for each task it retries', async () => {
    const one = project(['lie-1', 'lie-2', 'lie-3']);
    expect((await one.start('run').ended).code).toBe(4);
    const { stdout } = await one.start('retry-blocked', '--filter', 'lie-*').ended;
    expect(stdout).toMatch(/3 tasks, 1 attempt each, 9 in all/);
  });

  it('leaves the open tasks alone, and gives each at most the attempts it may have', async () => {
    const one = project(['lie-1']);
    expect((await one.start('run').ended).code).toBe(4);
    const tracker = JSON.parse(one.read('.ralph/prd.json'));
    tracker.tasks.unshift({ id: 'T-0', title: 'New', acceptance: [], status: 'open' });
    one.write('.ralph/prd.json', JSON.stringify(tracker, null, 2));
    const result = one.json('retry-blocked', '--max-attempts', '2', '--filter', 'no_files');
    expect(result).toMatchObject({ exit_code: 4, iterations: 2, tasks: { blocked: 1, open: 1 } });
    expect(one.json('retry-blocked').iterations).toBeUndefined();
  });
});

describe('[unblock] auto', () => {
  it('gives a task that ran out of time more of it, once', async () => {
    const one = project(['late-1', 'lie-2'], '[unblock]\nauto = true\n');
    const run = await one.start('run').ended;
    expect(run.code).toBe(4);
    expect(run.stdout).toContain('late-1 is unblocked (automatically, more time, limit 1 min)');
    expect([status(one, 'late-1'), status(one, 'lie-2')]).toEqual(['done', 'blocked']);
    expect(one.iteration(3).facts.choice?.autoUnblocked).toMatchObject([
      { limit: 1, unblocked: [{ taskId: 'late-1', strategy: 'increase_timeout' }] },
    ]);
  });

  it('never continues for ever', async () => {
    const one = project(['hang-1'], '[unblock]\nauto = true\n');
    one.write(
      '.ralph/ralph.toml',
      one.read('.ralph/ralph.toml').replace('min_timeout', 'max_timeout = 3\nmin_timeout'),
    );
    expect((await one.start('run').ended).code).toBe(4);
    expect(one.iterations()).toEqual([1, 2]);
    const again = await one.start('run', '--task', 'hang-1').ended;
    expect([again.code, one.iterations()]).toEqual([4, [1, 2]]);
    expect(one.json('blocked', '--suggest').blocked).toMatchObject([
      {
        suggestion: { strategy: 'manual_review' },
        history: [{ automatic: true, strategy: 'increase_timeout' }],
      },
    ]);
  });
});
