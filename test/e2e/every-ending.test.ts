import { writeFileSync } from 'node:fs';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { EXIT, RunEnding } from '../../src/domain/exit.ts';
import { appears, blocked, claim, withoutBox, write } from '../helpers/cli.ts';
import { movedClock } from '../helpers/moved-clock.ts';
import { at, expectOf, HONEST, night, shell } from '../helpers/night.ts';

withoutBox();

const TWO = night('Write the parser', 'Write two');
/** The first attempt says by `PLACE/ready` that it began, and waits for `PLACE/go`. */
const HOLDS = TWO.agent(
  at('T-1', shell('touch PLACE/ready; until test -e PLACE/go; do sleep 0.02; done'), ...HONEST.do),
  HONEST,
);
/** The service of this agent has no credit left for two hours. */
const USED_UP = TWO.script('echo "Your credits are used up, try again in 2 hours"; exit 1').toml(
  'limit = "credits? (?:are )?used up"',
);
const KEY = `AKIA${'Q7ZP4M2X9KD3V8TB'}`;

/** Starts a run and waits until its agent works. */
async function atWork() {
  const one = HOLDS.make();
  const run = one.start('run');
  await appears(`${one.place}/ready`);
  return { one, run, go: () => writeFileSync(`${one.place}/go`, '') };
}

type Walks = Readonly<Record<string, () => Promise<unknown>>>;

/** Each ending of a run has one walk. */
const ENDINGS: Walks = {
  all_done: () =>
    TWO.agent(HONEST)
      .gate('test -e README.md')
      .run()
      .expect({ ending: 'all_done', code: EXIT.ok, tasks: { 'T-1': 'done', 'T-2': 'done' } }),
  selected_done: () =>
    TWO.agent(HONEST)
      .run('--task', 'T-1')
      .expect({ ending: 'selected_done', code: EXIT.ok, tasks: { 'T-1': 'done', 'T-2': 'open' } }),
  max_iterations: () =>
    TWO.agent(HONEST).run('--max-iterations', '1').expect({ ending: 'max_iterations', code: EXIT.workLeft }),
  no_progress: () =>
    TWO.agent({ action: 'print', text: 'I looked around.' })
      .loop('no_progress_limit = 1')
      .run()
      .expect({ ending: 'no_progress', code: EXIT.workLeft }),
  stopped: async () => {
    const { one, run, go } = await atWork();
    expect(await one.start('stop').ended).toMatchObject({ code: 0 });
    go();
    expectOf(one, await run.ended, {
      ending: 'stopped',
      code: EXIT.workLeft,
      tasks: { 'T-1': 'done', 'T-2': 'open' },
    });
  },
  until_reached: () => USED_UP.run('--until', '1h').expect({ ending: 'until_reached', code: EXIT.workLeft }),
  all_blocked: () =>
    TWO.agent(at('T-1', blocked('There is no printer.')), HONEST)
      .run()
      .expect({ ending: 'all_blocked', code: EXIT.allBlocked, tasks: { 'T-1': 'blocked', 'T-2': 'done' } }),
  awaiting_human: () =>
    TWO.files({ 'a.test.js': "it('adds', () => {});\n" })
      .gate('echo "ok 1 - adds"')
      .agent(at('T-1', write('a.test.js', "it.skip('adds', () => {});\n"), claim('a.test.js:1 it')), HONEST)
      .run()
      .expect({
        ending: 'awaiting_human',
        code: EXIT.awaitingHuman,
        tasks: { 'T-1': 'parked', 'T-2': 'done' },
      }),
  break: () => TWO.agent({ action: 'exit', code: 1 }).run().expect({ ending: 'break', code: EXIT.break }),
  budget: () =>
    TWO.agent(HONEST).toml('[budget]\niterations = 1').run().expect({ ending: 'budget', code: EXIT.budget }),
  emergency_stop: () =>
    TWO.agent(
      at('T-1', write('src/key.js', `export const key = "${KEY}";\n`), claim('src/key.js:1 it')),
      HONEST,
    )
      .run()
      .expect({ ending: 'emergency_stop', code: EXIT.emergencyStop }),
  agent_unavailable: () =>
    USED_UP.run('--no-wait').expect({ ending: 'agent_unavailable', code: EXIT.agentUnavailable }),
  gate_down: async () => {
    const ahead = movedClock();
    const one = TWO.gate('test ! -e PLACE/away')
      .agent(at('T-1', shell('touch PLACE/away'), ...HONEST.do), HONEST)
      .make();
    const run = one.start('run');
    await run.says('is judged again at');
    ahead(3_700);
    expectOf(one, await run.ended, { ending: 'gate_down', code: EXIT.agentUnavailable });
  },
  interrupted: async () => {
    const { one, run } = await atWork();
    run.child.kill('SIGINT');
    expectOf(one, await run.ended, { ending: 'interrupted', code: 130 });
  },
  crashed: async () => {
    const { one, run } = await atWork();
    run.child.kill('SIGKILL');
    expect(await run.ended).toMatchObject({ code: null });
    expect(one.json('report')).toMatchObject({ ending: 'crashed' });
  },
  error: async () => {
    const { one, run, go } = await atWork();
    one.write('.ralph/PRD.md', '# Plan\n\n## Tasks\n');
    go();
    expectOf(one, await run.ended, { ending: 'error', code: EXIT.usage });
  },
};

/** Each exit code that isn't an ending of a run has one walk. */
const OTHER_EXITS: Walks = {
  locked: async () => {
    const { one, run, go } = await atWork();
    expectOf(one, await one.start('run').ended, { code: EXIT.locked, says: ['Another run is active'] });
    go();
    expectOf(one, await run.ended, { ending: 'all_done', code: EXIT.ok });
  },
  unexpected: () =>
    TWO.agent(HONEST)
      .files({ '.ralph/journal.jsonl/is-a-folder': '' })
      .run()
      .expect({ code: EXIT.unexpected }),
};

afterEach(() => {
  vi.unstubAllEnvs();
});

describe('a run ends', () => {
  it('in one of the ways that are walked here', () => {
    expect(Object.keys(ENDINGS)).toEqual(RunEnding.options);
  });

  it.each(Object.entries({ ...ENDINGS, ...OTHER_EXITS }))('%s', async (_, walk) => {
    await walk();
  });
});
