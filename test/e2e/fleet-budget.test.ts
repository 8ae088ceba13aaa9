/** @module-tag slow */

import { afterEach, describe, expect, it } from 'vitest';
import { appears } from '../helpers/cli.ts';
import { eventually } from '../helpers/eventually.ts';
import { fleetProject, reportOf } from '../helpers/fleet.ts';
import { HAS_REDIS } from '../helpers/redis.ts';
import { named } from '../helpers/workers.ts';

/**
 * Each attempt costs a dollar, which it reports at its end. The first attempt at T-3 reports earlier what it used, and
 * doesn't end.
 */
const ACTS = `
  const beside = process.env.MEET + '/../';
  const usage = { input_tokens: 10, output_tokens: 0 };
  const isFirst = () => { try { fs.mkdirSync(beside + 'hangs'); return true; } catch { return false; } };
  if (id === 'T-3' && isFirst()) {
    console.log(JSON.stringify({ type: 'assistant', message: { id: 'm', model: 'm', content: [], usage: { input_tokens: 7, output_tokens: 0 } } }));
    fs.writeFileSync(beside + 'hangs/now', '');
    await new Promise((done) => setTimeout(done, 600000));
  }
  while (id === 'T-3' && !fs.existsSync(beside + 'go')) await new Promise((done) => setTimeout(done, 20));
  const result = ['RALPH_STATUS', 'TASK: ' + id, 'STATUS: DONE', 'EXIT_SIGNAL: true', 'END_RALPH_STATUS'].join('\\n');
  fs.writeFileSync(id + '.txt', id);
  console.log(JSON.stringify({ type: 'result', subtype: 'success', is_error: false, result, usage, total_cost_usd: 1, session_id: 's' }));
  process.exit(0);`;

describe.skipIf(!HAS_REDIS)('the budget of a fleet', () => {
  const open: (() => unknown)[] = [];
  afterEach(async () => {
    for (const stop of open.splice(0).toReversed()) await stop();
  });

  /** Plays a run until a worker has started T-3 and lost it to another worker. */
  const play = async (signal: 'SIGKILL' | 'SIGSTOP', limit: string) => {
    const given = { acts: ACTS, together: 1, runner: 'output = "claude-stream"\n' };
    const fleet = await fleetProject(named(6), given);
    open.push(fleet.server.stop);
    const { project } = fleet;
    project.write('.ralph/ralph.toml', `${project.read('.ralph/ralph.toml')}\n[budget]\n${limit}\n`);
    const places = [fleet.place(), fleet.place()] as const;
    const first = fleet.worker('one', places[0]);
    open.push(() => first.child.kill('SIGKILL'));
    const run = fleet.coordinate(1);
    open.push(() => run.child.kill('SIGKILL'));
    await appears(project.path('.git/hangs/now'));
    first.child.kill(signal);
    const second = fleet.worker('two', places[1]);
    open.push(() => second.child.kill('SIGKILL'));
    return { fleet, project, first, run, go: () => project.write('.git/go', '') };
  };
  const lost = (project: Awaited<ReturnType<typeof play>>['project']) =>
    project
      .read('.ralph/journal.jsonl')
      .split('\n')
      .filter((line) => line.includes('"attempt_lost"'))
      .map((line) => JSON.parse(line));

  it('counts an attempt that a killed worker began as what was reserved for it, and starts nothing beyond the cap', async () => {
    const { fleet, project, run, go } = await play('SIGKILL', 'money = 4');
    go();
    // Two tasks and twice the third use up the budget, so a fourth isn't started.
    expect(await reportOf(run)).toMatchObject({ exit_code: 7, ending: 'budget', iterations: 3 });
    expect(fleet.landed()).toHaveLength(3);
    expect(lost(project)).toMatchObject([{ taskId: 'T-3', cost: { usd: 1, tokens: 10 }, shown: false }]);
    expect(project.json('report').reason).toContain('Stopped: the budget is spent: $4.00 of $4.00.');
    expect(project.ralph('replay').stdout).toContain('0 differences');
  });

  it('counts it as what its record says, where that came', async () => {
    const { fleet, project, first, run, go } = await play('SIGSTOP', 'tokens = 37');
    const claimedTwice = () =>
      fleet.project.git('--git-dir', fleet.bare, 'log', '-1', '--format=%b', 'refs/ralph/tasks/T-3').trim();
    await eventually(() => expect(claimedTwice()).toBe('two'));
    first.child.kill('SIGCONT');
    const record = /^refs\/ralph\/records\/T-3\//;
    await eventually(() => expect(fleet.refs().filter((ref) => record.test(ref))).toHaveLength(1));
    go();
    expect(await reportOf(run)).toMatchObject({ exit_code: 7, ending: 'budget', iterations: 3 });
    expect(lost(project)).toMatchObject([{ taskId: 'T-3', cost: { tokens: 7 }, shown: true }]);
  });
});
