/** @module-tag slow */

import { describe, expect, it } from 'vitest';
import { attempts, blocked, claim, makeProject, type Project, write } from '../helpers/cli.ts';
import { eventually } from '../helpers/eventually.ts';
import { at, inAttempt, night } from '../helpers/night.ts';

const flat = (text: string) => text.replace(/\s+/g, ' ');

/**
 * Returns a project after a run with a false claim, a done task, a blocked one with kept work, and one that the agent
 * gave up.
 */
function played(): { readonly project: Project; readonly printed: string } {
  const project = night('Write the parser', 'Break the build', 'Choose a port')
    .agent(
      inAttempt('T-1', 1, claim('src/a.ts:1 it')),
      at('T-1', write('src/a.ts', 'export {};\n'), claim('src/a.ts:1 it')),
      at(
        'T-2',
        write('broken', 'x\n'),
        write('src/b.ts', 'export const b = {attempt};\n'),
        claim('src/b.ts:1 it'),
      ),
      at('T-3', blocked('Which port?')),
    )
    .loop('max_attempts_per_task = 2')
    .toml('[[gates.commands]]\nname = "check"\nrun = "test ! -e broken"')
    .make();
  const { code, stdout } = project.ralph('run');
  expect(code).toBe(4);
  return { project, printed: stdout };
}

let read: ReturnType<typeof played> | null = null;
/** Returns the same night for tests that only read it. */
function sameNight(): ReturnType<typeof played> {
  read ??= played();
  return read;
}

describe('ralph report', () => {
  it('is what the run printed at its end, and says what is done, what needs you, and what it took', () => {
    const { project, printed } = sameNight();
    const { code, stdout } = project.ralph('report');
    expect(code).toBe(0);
    expect(printed.endsWith(`\n\n${stdout}`)).toBe(true);
    const commit = project.git('log', '--format=%h', '--abbrev=10', '--grep', '(T-1)$');
    const text = flat(stdout);
    expect(text).toMatch(/^1 of 3 tasks done, 2 need you\. All checks pass: check\./);
    expect(text).toContain(`✔ T-1 Write the parser (${commit}, 2 attempts,`);
    expect(text).toContain('✖ T-2 Break the build Failed 2 times');
    expect(text).toContain('Its work is kept: ralph take T-2 ralph logs 4');
    expect(text).toContain('✖ T-3 Choose a port Which port? ralph answer T-3 "…"');
    expect(text).toContain('3 false claims caught: T-1, T-2 (2).');
    expect(text).toContain('For each verified task: ');
    expect(stdout).not.toMatch(/\d{4}-\d\d-\d\dT/);
  });

  it('adds up tokens and money, of failed attempts too, for each verified task', () => {
    const line = JSON.stringify({
      type: 'result',
      subtype: 'success',
      is_error: false,
      result: 'RALPH_STATUS\\nTASK: T-1\\nSTATUS: DONE\\nEXIT_SIGNAL: true\\nEND_RALPH_STATUS',
      total_cost_usd: 0.25,
      usage: { input_tokens: 1000, output_tokens: 200 },
    }).replaceAll('\\\\n', '\\n');
    const project = makeProject({
      '.ralph/ralph.toml':
        '[loop]\nagent = "mine"\n[runners.mine]\nargv = ["sh", "./agent.sh", "-"]\noutput = "claude-stream"\n',
      'agent.sh': `cat > /dev/null\n[ "$RALPH_ATTEMPT" = 1 ] || echo x > a.ts\ncat <<'EOF'\n${line}\nEOF\n`,
    });
    expect(project.ralph('run').code).toBe(0);
    const used = { spent: { tokens: 2400, cost_usd: 0.5 } };
    expect(project.json('report')).toMatchObject({ ...used, per_verified_task: used, done_in_run: [used] });
    expect(flat(project.ralph('report').stdout)).toMatch(
      /For each verified task: .*, 2,400 tokens, \$0\.50\./,
    );
  });

  it('is one JSON document, with the false claims, the commits and the sums', () => {
    const { project } = sameNight();
    expect(project.json('report')).toMatchObject({
      schema_version: 'ralph.cli.v1',
      cmd: 'report',
      ending: 'all_blocked',
      exit_code: 0,
      ended_with: 4,
      tasks: { total: 3, done: 1, blocked: 2 },
      tree: { state: 'green', passing: ['check'], failing: [], tests: [], empty: [] },
      done_in_run: [
        {
          id: 'T-1',
          attempts: 2,
          false_claims: 1,
          commits: [project.git('log', '--format=%H', '--grep', '(T-1)$')],
        },
      ],
      unfinished: [
        { id: 'T-2', group: 'you', work: { kind: 'kept', command: 'ralph take T-2' } },
        { id: 'T-3', group: 'you', why: 'Which port?' },
      ],
      false_claims: [
        { task_id: 'T-1', count: 1 },
        { task_id: 'T-2', count: 2 },
      ],
    });
  });

  it("is Markdown in which what tasks and agents say isn't markup", () => {
    const project = makeProject({
      '.ralph/PRD.md': '- [ ] **T-1** Take `a|b` to <b>@me</b>\n',
      '.ralph/scenario.json': JSON.stringify({
        steps: [{ do: [blocked('[x](http://x) | y')] }],
      }),
    });
    project.ralph('run');
    const { stdout } = project.ralph('report', '--format', 'markdown');
    expect(stdout).toMatch(/^## 0 of 1 task done, 1 needs you\.\n/);
    expect(stdout).toContain(
      '- **T-1** Take \\`a\\|b\\` to &#60;b&#62;&#64;me&#60;/b&#62;  \n  \\[x\\](http&#58;//x) \\| y',
    );
    expect(stdout).toContain('`ralph answer T-1 "…"`');
    expect(project.ralph('status', '--format', 'markdown').code).toBe(2);
  });

  it('offers what shows something: new files, commits, or neither', () => {
    const { project } = played();
    const done = makeProject({
      '.ralph/scenario.json': attempts([
        { action: 'write', path: 'new.ts', content: 'export {};\n' },
        claim('new.ts:1 it'),
      ]),
    });
    expect(done.json('run').next).toEqual(['ralph diff T-1']);
    expect(done.ralph('diff', 'T-1').stdout).toContain('+++ b/new.ts');
    const again = done.json('run');
    expect([again.iterations, again.next]).toEqual([0, ['ralph tasks']]);
    expect(project.json('report').next[0]).toBe('ralph answer T-3 "…"');
    project.ralph('tasks', 'remove', 'T-2', 'T-3');
    const [look] = project.json('report').next;
    expect(look).toMatch(/^git log --stat -\d+$/);
  });

  it('of an older run says what that did, and what became of its tasks', () => {
    const { project } = played();
    const [first] = [project.json('report').run];
    project.write(
      '.ralph/scenario.json',
      attempts([{ action: 'write', path: 'port.ts', content: 'export {};\n' }, claim('port.ts:1 it')]),
    );
    project.ralph('unblock', 'T-3');
    project.json('run', '--task', 'T-3');
    expect(project.json('report', 'latest')).toMatchObject({ iterations: 1, done_in_run: [{ id: 'T-3' }] });
    const all = project.json('report');
    expect(all).toMatchObject({
      iterations: 6,
      runs: [first, all.run],
      done_in_run: [{ id: 'T-1' }, { id: 'T-3' }],
    });
    const { agent_ms, checks_ms, waited_ms, other_ms } = all.time;
    expect(agent_ms + checks_ms + waited_ms + other_ms).toBe(all.duration_ms);
    expect(project.json('report', '--since', '1h')).toMatchObject({ iterations: 6 });
    expect(project.ralph('report', '--since', '2030-01-31T18:00').stderr).toContain(
      'No run did anything since then.',
    );
    expect(project.ralph('report', '--since', 'yesterday')).toMatchObject({ code: 2 });
    const { runs } = project.json('report', '--list');
    expect(runs.map(({ run, iterations }: { run: string; iterations: number }) => [run, iterations])).toEqual(
      [
        [all.run, 1],
        [first, 5],
      ],
    );
    expect(project.ralph('report', '--list').stdout).toContain(first);
    const older = project.json('report', first);
    expect(older).toMatchObject({
      run: first,
      iterations: 5,
      done_in_run: [{ id: 'T-1' }],
      unfinished: [{ id: 'T-2' }],
    });
    expect(project.ralph('report', 'r-1').stderr).toContain('There is no run r-1.');
  });

  it('of a run that was cut off says so', async () => {
    const project = makeProject({
      '.ralph/scenario.json': JSON.stringify({
        steps: [{ do: [{ action: 'print', text: 'begun' }, { action: 'hang' }] }],
      }),
    });
    const { child, ended } = project.start('run');
    await project.appears('.ralph/journal.jsonl');
    await eventually(() => expect(project.json('status').current?.iteration).toBe(1));
    expect(project.ralph('report').stdout).toContain('Running: 0 of 1 task done, 1 open.');
    child.kill('SIGKILL');
    await ended;
    const text = flat(project.ralph('report').stdout);
    expect(text).toMatch(/^Cut off: the run was killed, .* 0 of 1 task done, 1 open\./);
    expect(text).toContain('Started, and cut off before its end.');
  });

  it('is short in ralph status, for the last run that did something', () => {
    const { project } = played();
    const { run } = project.json('report');
    project.ralph('run', '--max-iterations', '0');
    const text = flat(project.ralph('status').stdout);
    expect(text).toContain(`Last run: ${run}`);
    expect(text).toContain('1 task done in 5 iterations, 3 false claims caught (T-1, T-2).');
    expect(project.json('status').last_run).toMatchObject({ run, lies_caught: 3 });
  });
});

describe('ralph interventions', () => {
  it('says who, what, what was done about it and whether that helped', () => {
    const { project } = sameNight();
    const lines = flat(project.ralph('interventions', '--last', '10').stdout);
    expect(lines).toContain(
      '#1 T-1 scripted claimed done, changed nothing → warned; fixed in the next attempt',
    );
    expect(lines).toContain(
      'T-2 scripted claimed done, but gates fail: "check" → warned; repeated in the next attempt',
    );
    expect(lines).toContain('T-3 scripted said that it is blocked: Which port? → task blocked');
    expect(lines).not.toMatch(/\d{4}-\d\d-\d\dT|_/);
    expect(flat(project.ralph('interventions', '--last', '1').stdout)).toMatch(
      /^● \S+ #5 .*\(3 older ones not shown\) $/,
    );
    expect(flat(project.ralph('status').stdout)).toContain('claimed done, changed nothing → warned; fixed');
    expect(project.json('interventions', '--task', 'T-1').story).toMatchObject([
      { task_id: 'T-1', agent: 'scripted', done: ['warned'], outcome: 'fixed in the next attempt' },
    ]);
  });
});
