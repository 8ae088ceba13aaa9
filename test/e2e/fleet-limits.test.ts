/** @module-tag slow */

import { tryOr } from 'ralph-kit/try-or';
import { afterEach, describe, expect, it } from 'vitest';
import { eventually } from '../helpers/eventually.ts';
import { fleetProject, reportOf } from '../helpers/fleet.ts';
import { HAS_REDIS } from '../helpers/redis.ts';
import { named, OWN_FILE } from '../helpers/workers.ts';

const RUNNER = 'limit = "credits? (?:are )?used up|too many requests"\n';

/**
 * Each agent writes down when it started. Of those that work together one meets a limit, says when, and ends; the
 * others end once they may. Agents that start later do their work.
 */
const acts = (words: string) => `
  const beside = process.env.MEET + '/../';
  const say = (name, text) => fs.appendFileSync(beside + name, text + '\\n');
  const isFirst = () => { try { fs.mkdirSync(beside + 'limit'); return true; } catch { return false; } };
  const isEarly = !fs.existsSync(beside + 'go');
  say('starts', [id, process.env.WHO, Date.now()].join(' '));
  const started = () => fs.readFileSync(beside + 'starts', 'utf8').split('\\n').length - 1;
  const pause = () => new Promise((done) => setTimeout(done, 20));
  if (isEarly && isFirst()) { while (started() < Number(process.env.TOGETHER) || !fs.existsSync(beside + 'queued')) await pause(); say('met', String(Date.now())); console.log('${words}'); process.exit(1); }
  while (isEarly && !fs.existsSync(beside + 'go')) await pause();
  ${OWN_FILE}`;

describe.skipIf(!HAS_REDIS)('a limit of one account that workers of a fleet use', () => {
  const open: (() => unknown)[] = [];
  afterEach(async () => {
    for (const stop of open.splice(0).toReversed()) await stop();
  });

  /** Plays a run with this number of workers, one of which meets the limit while the other attempts are queued. */
  const play = async (tasks: number, workers: number, words: string, loop = '') => {
    const given = { acts: acts(words), together: workers, runner: RUNNER, loop };
    const fleet = await fleetProject(named(tasks), given);
    open.push(fleet.server.stop);
    const { project } = fleet;
    const places = Array.from({ length: workers }, () => fleet.place());
    for (const [at, place] of places.entries()) {
      const { child } = fleet.worker(`w${at}`, place);
      open.push(() => child.kill('SIGKILL'));
    }
    const run = fleet.coordinate();
    open.push(() => run.child.kill('SIGKILL'));
    // No more jobs are offered once the limit is met, so all of them have to be queued by then.
    await eventually(() =>
      expect(project.json('fleet', 'status').queues).toMatchObject([
        { waiting: Array.from({ length: tasks - workers }, () => ({})) },
      ]),
    );
    project.write('.git/queued', '');
    const all = () =>
      project.iterations().flatMap((number) => {
        // Attempts that still run have no record yet.
        const record = tryOr(null, () => project.iteration(number));
        if (record === null) return [];
        const { facts, decisions } = record;
        const { agent, attempt } = facts;
        return [{ agent, attempt, verdict: decisions.verdict.kind, until: decisions.unavailable?.until }];
      });
    // These are the attempt that met the limit, and those that waited behind it.
    const limited = () =>
      all().filter(({ verdict }) => verdict === 'rate_limited' || verdict === 'throttled');
    await eventually(() => expect(limited()).toHaveLength(1 + tasks - workers));
    return { fleet, project, run, all, limited };
  };
  const starts = (text: string) =>
    text
      .trim()
      .split('\n')
      .map((line) => line.split(' '))
      .map(([id, agent, at]) => ({ id, agent, at: Number(at) }));

  it('of too many requests: eight workers start nothing before it is over, no attempt is counted, and all is done', async () => {
    const { fleet, project, run, all, limited } = await play(
      12,
      8,
      '429 too many requests, try again in 25 seconds',
    );
    expect(project.json('fleet', 'status').queues).toMatchObject([
      { agent: 'mine', held: true, waiting: [] },
    ]);
    const until = Date.parse(limited()[0]?.until ?? '');
    project.write('.git/go', '');
    expect(await reportOf(run)).toMatchObject({ exit_code: 0, ending: 'all_done' });
    const met = Number(project.read('.git/met'));
    const later = starts(project.read('.git/starts')).filter(({ at }) => at > met);
    // These are the attempt that met the limit, and the four that were queued.
    expect(later).toHaveLength(5);
    expect(later.filter(({ at }) => at < until)).toEqual([]);
    expect(fleet.landed()).toHaveLength(12);
    expect(all().every(({ attempt }) => attempt === 1)).toBe(true);
    expect(all().filter(({ verdict }) => verdict === 'done')).toHaveLength(12);
    expect(project.ralph('replay').stdout).toContain('0 differences');
  }, 300_000);

  it('of hours: what was queued for it is done with the other agent', async () => {
    const words = 'Your credits are used up, try again in 2 hours';
    const { fleet, project, run, all } = await play(5, 2, words, 'fallback = ["other"]\n');
    project.write('.git/go', '');
    expect(await reportOf(run)).toMatchObject({ exit_code: 0, ending: 'all_done' });
    const met = Number(project.read('.git/met'));
    const later = starts(project.read('.git/starts')).filter(({ at }) => at > met);
    expect(later.map(({ agent }) => agent)).toEqual(['other', 'other', 'other', 'other']);
    expect(fleet.landed()).toHaveLength(5);
    expect(all().every(({ attempt }) => attempt === 1)).toBe(true);
    expect(project.ralph('replay').stdout).toContain('0 differences');
  }, 300_000);
});
