import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ACP_PROGRAMS } from 'ralph-agents';
import { describe, expect, it } from 'vitest';
import { runWith } from './bench.ts';
import { programs } from './given.ts';
import { TOKENS } from './model/scenario.ts';
import { continued } from './sessions.ts';
import { claim, doesTheWork, raw, says, shell, write } from './talk.ts';

const ACP = 'protocol = "acp"';
const READS: Readonly<Record<string, (path: string) => ReturnType<typeof raw>>> = {
  copilot: (path) => raw('view', { path }),
  gemini: (path) => raw('read_file', { file_path: path }),
  goose: (path) => raw('tree', { path: dirname(path) }),
  opencode: (path) => raw('read', { filePath: path }),
  qwen: (path) => raw('read_file', { file_path: path }),
};
const EDITS: Readonly<Record<string, (path: string) => ReturnType<typeof raw>>> = {
  copilot: (path) => raw('edit', { path, old_str: 'Scratch', new_str: 'Changed' }),
  gemini: (path) =>
    raw('replace', { file_path: path, old_string: 'Scratch', new_string: 'Changed', instruction: 'change' }),
  opencode: (path) => raw('edit', { filePath: path, oldString: 'Scratch', newString: 'Changed' }),
  goose: (path) => raw('edit', { path, before: 'Scratch', after: 'Changed' }),
  qwen: (path) => raw('edit', { file_path: path, old_string: 'Scratch', new_string: 'Changed' }),
};

describe.each(programs().filter(({ name }) => ACP_PROGRAMS.has(name)))('$name over ACP', (agent) => {
  it('does the work: verified, ticked, with its session, its tools and its tokens on record', async () => {
    const outcome = await runWith(agent, {
      name: 'acp-writes-a-file',
      runner: ACP,
      scenario: (place) => ({ turns: doesTheWork(place) }),
    });
    expect(outcome.code, JSON.stringify(outcome.result) + outcome.stderr).toBe(0);
    expect(outcome.read('.ralph/PRD.md')).toContain('[x]');
    const [record] = outcome.iterations;
    expect(record?.decisions.verdict).toEqual({ kind: 'done' });
    expect(record?.facts.report).toMatchObject({ ok: true, toolCalls: 2, infrastructure: null, errors: [] });
    expect(record?.facts.report.finalMessage).toContain(claim('src/hello.txt:1 created'));
    expect(record?.facts.report.sessionId).toMatch(/\S{8,}/);
    expect(record?.facts.report.usage[0]?.outputTokens).toBeGreaterThanOrEqual(TOKENS.output);
    expect(record?.facts.review).toMatchObject({ mode: 'hook', proven: true, denied: 0, unreviewed: null });
    expect(outcome.alive ?? []).toEqual([]);
  });

  it('refuses a dangerous command, gives the reason, and the work continues', async () => {
    const outcome = await runWith(agent, {
      name: 'acp-dangerous',
      runner: ACP,
      scenario: (place) => ({
        turns: [says('I tidy up.', shell(`rm -rf ${place.precious}`)), ...doesTheWork(place)],
      }),
    });
    expect(existsSync(join(outcome.precious, 'keep.txt'))).toBe(true);
    const [record] = outcome.iterations;
    expect(record?.facts.review).toMatchObject({ mode: 'hook', denied: 1, unreviewed: null });
    expect(record?.decisions.verdict).toEqual({ kind: 'done' });
    // These two continue automatically.
    const told = outcome.requests.some(({ body }) => body.includes('ralph refused this'));
    expect(told).toBe(agent.name !== 'gemini' && agent.name !== 'goose');
  });

  it('asks for what it was measured to ask for', async () => {
    const outcome = await runWith(agent, {
      name: 'acp-kinds',
      runner: ACP,
      config: '[review]\nmode = "blocking"\n',
      scenario: (place) => ({
        turns: [
          says('I write.', write(place, 'src/hello.txt', 'hello from the agent\n')),
          says('I look.', shell('ls src')),
          says('I make.', shell('touch src/made.txt')),
          says('I read.', READS[agent.name]?.(join(place.root, 'README.md')) ?? shell('ls')),
          says('I edit.', EDITS[agent.name]?.(join(place.root, 'README.md')) ?? shell('ls')),
          says(`Done.\n\n${claim('src/hello.txt:1 created')}`),
        ],
      }),
    });
    const [record] = outcome.iterations;
    // Goose asks before it reads, too.
    const reads = agent.name === 'goose' ? ['hook'] : [];
    const allowed = 4 + reads.length;
    expect(record?.facts.review).toMatchObject({ mode: 'hook', unreviewed: null, denied: 0, allowed });
    const commands = ACP_PROGRAMS.get(agent.name)?.commands;
    const modes = reviewsIn(outcome.root).map((review) => review.mode);
    expect(modes).toEqual(['hook', commands === 'each' ? 'hook' : 'detect', 'hook', ...reads, 'hook']);
  });

  it('does not start where each action has to be asked for, unless it asks for each', async () => {
    const outcome = await runWith(agent, {
      name: 'acp-required',
      runner: ACP,
      config: '[review]\nrequire_gate = true\n',
      scenario: (place) => ({ turns: doesTheWork(place) }),
    });
    const { edits, commands, network } = ACP_PROGRAMS.get(agent.name) ?? {};
    const all = [edits, commands, network].every((asks) => asks === 'each');
    expect(outcome.iterations.length > 0).toBe(all);
    expect(outcome.requests.length > 0).toBe(all);
  });

  it('continues with its session, and reports its tokens once', async () => {
    const { second, session } = await continued(agent, { name: 'acp-resumes', runner: ACP });
    expect(second?.facts.report.sessionId).toBe(session);
    expect(second?.facts.report.toolCalls).toBe(2);
  });

  it('waits for you before a test is deleted, and deletes it once you approved that', async () => {
    const again = ['run', '--agent', agent.name];
    const outcome = await runWith(agent, {
      name: 'acp-human-gate',
      runner: ACP,
      files: { 'sum.test.js': "import { it } from 'node:test';\n\nit('adds', () => {});\n" },
      afterwards: [['approvals', 'decide', 'G-1', 'approve'], again],
      scenario: (place) => ({
        turns: doesTheWork(place),
        answers: ({ results: [removed, written] }) => {
          if (removed === undefined) return says('It goes.', shell('rm sum.test.js'));
          if (/declin|reject|refus|denied/i.test(removed)) return says('Then I wait.');
          if (written !== undefined) return says(claim('src/hello.txt:1 it'));
          return says('I write.', write(place, 'src/hello.txt', 'hello\n'));
        },
      }),
    });
    const [first, second] = outcome.iterations;
    expect(first?.decisions.verdict).toEqual({ kind: 'awaiting_human', requests: ['G-1'] });
    expect(second?.decisions.verdict, outcome.stderr).toEqual({ kind: 'done' });
    expect([outcome.code, outcome.read('sum.test.js'), outcome.read('src/hello.txt')]).toEqual([
      ...[0, null, 'hello\n'],
    ]);
  });
});

describe.each(programs().filter(({ name }) => name === 'goose'))('a helper of $name', (agent) => {
  it('is not asked about, but what it does is judged once it has begun', async () => {
    const outcome = await runWith(agent, {
      name: 'acp-helper',
      runner: ACP,
      scenario: (place) => ({
        turns: doesTheWork(place),
        // A helper has no helpers.
        answers: ({ body, results }) => {
          if (results.length > 0) return says('Done.');
          if (!body.includes('"name":"delegate"'))
            return says('I tidy up.', shell(`rm -r ${place.precious}`));
          return says('I have it done.', raw('delegate', { instructions: 'Tidy up' }));
        },
      }),
    });
    expect(existsSync(join(outcome.precious, 'keep.txt'))).toBe(true);
    expect(outcome.iterations[0]?.facts.end).toMatchObject({ kind: 'halted', why: 'denied_action' });
  });
});

/** The log of the reviews of its one attempt. */
function reviewsIn(root: string): readonly { readonly mode: string }[] {
  const files = readdirSync(join(root, '.ralph'), { recursive: true, encoding: 'utf8' });
  const log = files.find((name) => name.endsWith('/reviews.jsonl')) ?? '';
  const lines = readFileSync(join(root, '.ralph', log), 'utf8')
    .trim()
    .split('\n');
  return lines.map((line) => JSON.parse(line));
}
