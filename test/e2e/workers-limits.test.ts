/** @module-tag slow */

import { describe, expect, it } from 'vitest';
import { named, OWN_FILE, subjects, workersProject } from '../helpers/workers.ts';

const WORDS = 'limit = "credits? (?:are )?used up|too many requests"\n';
/** Returns code that ends the attempt with these words. */
const says = (words: string) => `console.log('${words}'); process.exit(1);`;
/** Waits until another attempt at a task began, so that a start happens while others work. */
const UNTIL_AGAIN = (id: string) =>
  `while (fs.readFileSync(process.env.MEET + '/all.log', 'utf8').split('\\n').filter((line) => line.startsWith('${id} ')).length < 2) await new Promise((done) => setTimeout(done, 20));`;

type Made = ReturnType<typeof workersProject>;
const attempts = (one: Made) =>
  one.iterations().map((number) => {
    const { facts, decisions } = one.iteration(number);
    return { id: facts.task.id, agent: facts.agent, verdict: decisions.verdict.kind, attempt: facts.attempt };
  });
const count = (text: string, words: string) => text.split(words).length - 1;

describe('a limit of one account that several workers use', () => {
  it("met by one of them stops starts with that agent alone, and what ends meanwhile doesn't end it", () => {
    const acts = `
      if (id === 'T-2' && process.env.WHO === 'mine') { ${says('Your credits are used up, try again in 2 hours')} }
      if (['T-1', 'T-3', 'T-4'].includes(id)) { ${UNTIL_AGAIN('T-2')} }
      ${OWN_FILE}`;
    const loop = 'fallback = ["other"]\n';
    const one = workersProject(named(7), { acts, workers: 4, together: 4, loop, runner: WORDS });
    expect(one.json('run')).toMatchObject({ exit_code: 0, ending: 'all_done', iterations: 8 });
    const all = attempts(one);
    expect(all.filter(({ verdict }) => verdict !== 'done')).toMatchObject([{ id: 'T-2', agent: 'mine' }]);
    expect(all.filter(({ agent }) => agent === 'mine').map(({ id }) => id)).toEqual([
      'T-1',
      'T-2',
      'T-3',
      'T-4',
    ]);
    expect(all.filter(({ agent }) => agent === 'other').map(({ id }) => id)).toEqual([
      'T-2',
      'T-5',
      'T-6',
      'T-7',
    ]);
    expect(one.json('status').unavailable).toMatchObject([{ agent: 'mine', kind: 'rate_limited' }]);
    expect(subjects(one)).toHaveLength(7);
    expect(one.ralph('replay').stdout).toContain('0 differences');
  });

  it('met by all of them at once is one limit: it is waited for, and no attempt is lost', () => {
    const again = "fs.existsSync(process.env.MEET + '/' + id + '.met')";
    const acts = `
      if (!${again}) { fs.writeFileSync(process.env.MEET + '/' + id + '.met', ''); ${says('Your credits are used up, try again in 3 seconds')} }
      ${OWN_FILE}`;
    const one = workersProject(named(4), { acts, runner: WORDS });
    const { code, stdout } = one.ralph('run');
    expect(code).toBe(0);
    expect(count(stdout, 'mine: usage limit, waiting')).toBe(1);
    const all = attempts(one);
    expect(all.map(({ verdict }) => verdict)).toEqual([
      ...Array<string>(4).fill('rate_limited'),
      ...Array<string>(4).fill('done'),
    ]);
    expect(all.every(({ attempt }) => attempt === 1)).toBe(true);
    expect(one.ralph('replay').stdout).toContain('0 differences');
  });

  it('of too many requests at once is over in seconds: no other agent takes over, and others continue', () => {
    const acts = `
      if (id === 'T-2' && !fs.existsSync(process.env.MEET + '/met')) {
        fs.writeFileSync(process.env.MEET + '/met', '');
        ${says('429 too many requests, try again in 2 seconds')}
      }
      if (id !== 'T-2') { ${UNTIL_AGAIN('T-2')} }
      ${OWN_FILE}`;
    const loop = 'fallback = ["other"]\n';
    const one = workersProject(named(4), { acts, loop, runner: WORDS });
    const { code, stdout } = one.ralph('run');
    expect(code).toBe(0);
    expect(stdout).toMatch(/mine: throttled, nothing else starts until .*; 3 tasks at work/);
    const all = attempts(one);
    expect(all.map(({ agent }) => agent)).toEqual(['mine', 'mine', 'mine', 'mine', 'mine']);
    expect(all.at(-1)).toEqual({ id: 'T-2', agent: 'mine', verdict: 'done', attempt: 1 });
    expect(one.ralph('replay').stdout).toContain('0 differences');
  });
});

describe('a budget that several workers spend', () => {
  it('is never more than spent: what those at work will take is reserved, and the run waits for them', () => {
    // The agent says only at its end what it cost.
    const acts = `
      const result = ['RALPH_STATUS', 'TASK: ' + id, 'STATUS: DONE', 'EXIT_SIGNAL: true', 'END_RALPH_STATUS'].join('\\n');
      const usage = { input_tokens: 10, output_tokens: 0 };
      fs.writeFileSync(id + '.txt', id);
      console.log(JSON.stringify({ type: 'result', subtype: 'success', is_error: false, result, usage, total_cost_usd: 1, session_id: 's' }));
      process.exit(0);`;
    const one = workersProject(named(9), {
      acts,
      workers: 3,
      together: 3,
      runner: 'output = "claude-stream"\n',
    });
    one.write('.ralph/ralph.toml', `${one.read('.ralph/ralph.toml')}\n[budget]\nmoney = 5\n`);
    expect(one.json('run')).toMatchObject({ exit_code: 7, ending: 'budget', iterations: 5 });
    expect(one.json('report')).toMatchObject({
      reason: expect.stringContaining('The budget is spent: $5.00 of $5.00'),
    });
    expect(one.ralph('replay').stdout).toContain('0 differences');
  });
});
