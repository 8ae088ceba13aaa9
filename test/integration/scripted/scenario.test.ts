import { addToReport, finishReport, startReport } from 'ralph-agents';
import { beforeAll, describe, expect, it } from 'vitest';
import { scriptedAgents } from '../../../src/app/demo/adapter.ts';
import { makeStage, runAgent, type Stage } from './build-scripted.ts';

let stage: Stage;
beforeAll(async () => {
  stage = await makeStage();
});

type Given = { task?: string; attempt?: number; prompt?: string };

async function run(scenario: unknown, { task = 'a', attempt = 1, prompt = '' }: Given = {}) {
  const file = stage.scenario(scenario);
  const context = { node: process.execPath, program: stage.program, defaultScenario: file };
  const adapter = scriptedAgents({}, context).scripted;
  if (adapter === undefined) throw new Error('no adapter');
  const cwd = stage.fresh();
  const env = { RALPH_TASK_ID: task, RALPH_ATTEMPT: String(attempt) };
  const plan = adapter.plan({
    prompt,
    promptFile: '',
    cwd,
    model: null,
    extraArgs: [],
    env,
    resume: null,
    session: '00000000-0000-8000-8000-000000000001',
    title: 'Write the parser',
    boxed: false,
    reportFile: '/state/report.json',
    hook: null,
  });
  const ran = await runAgent({ argv: plan.argv, cwd, prompt, env: plan.env });
  const events = ran.stdout.split('\n').slice(0, -1).flatMap(adapter.parse);
  const report = finishReport(events.reduce(addToReport, startReport()), {
    kind: 'exited',
    code: ran.code ?? -1,
  });
  return { ...ran, report };
}

const says = (text: string) => [{ action: 'print', text }];

describe('which step is played', () => {
  const scenario = {
    $schema: 'scenario.schema.json',
    steps: [
      { when: { task: 'E1-*', attempt: 2 }, do: says('second of E1') },
      { when: { task: 'E1-*', feedback: true }, do: says('told') },
      { when: { task: 'E1.02' }, do: says('dotted') },
      { when: { prompt_includes: 'please (do)' }, do: says('asked') },
      { when: { feedback: false, task: 'quiet' }, do: says('untold') },
    ],
    otherwise: says('otherwise'),
  };
  const FEEDBACK = 'x\n## Previous Iteration Feedback (DO NOT IGNORE)\ny';

  it.each<[Given, string]>([
    [{ task: 'E1-02', attempt: 2 }, 'second of E1'],
    [{ task: 'E1-02', attempt: 3, prompt: FEEDBACK }, 'told'],
    [{ task: 'E1-02', attempt: 3, prompt: 'see ## Previous Iteration Feedback' }, 'otherwise'],
    [{ task: 'E1.02' }, 'dotted'],
    [{ task: 'E1x02' }, 'otherwise'],
    [{ task: 'E2-02', prompt: 'now please (do) it' }, 'asked'],
    [{ task: 'quiet' }, 'untold'],
    [{ task: 'quiet', prompt: FEEDBACK }, 'otherwise'],
  ])('%j', async (given, expected) => {
    expect((await run(scenario, given)).stdout).toBe(`${expected}\n`);
  });

  it('reads a long prompt to its end', async () => {
    const steps = [{ when: { prompt_includes: 'needle' }, do: says('found') }];
    expect((await run({ steps }, { prompt: `${'x'.repeat(400_000)}needle` })).stdout).toBe('found\n');
  });

  it('says so when no step fits', async () => {
    const ran = await run({ steps: [{ when: { task: 'b' }, do: [] }] });
    expect(ran.code).toBe(64);
    expect(ran.stderr).toContain('no step of the scenario fits task a, attempt 1: add one, or "otherwise"');
  });
});

describe('a bad scenario', () => {
  it.each<[string, unknown, RegExp]>([
    ["isn't JSON", '{', /cannot read the scenario .*scenario\.json/],
    ['has no steps', {}, /steps: expected array, found nothing/],
    [
      'has an unknown action',
      { steps: [{ do: [{ action: 'dance' }] }] },
      /steps\[0\]\.do\[0\]\.action: unknown action "dance"/,
    ],
    [
      'lacks a field',
      { steps: [{ do: [{ action: 'write', path: 'a' }] }] },
      /do\[0\]\.content: expected string/,
    ],
    [
      'has an unknown key',
      { steps: [{ when: { taks: 'a' }, do: [] }] },
      /steps\[0\]\.when: unknown key taks/,
    ],
    [
      'has a wrong word',
      { steps: [], output: 'html' },
      /output: expected text or claude-stream, found "html"/,
    ],
    [
      'has a wrong mode',
      { steps: [{ do: [{ action: 'chmod', path: 'a', mode: '9' }] }] },
      /mode: "9" cannot be used/,
    ],
  ])('%s', async (_, scenario, message) => {
    const ran = await run(scenario);
    expect(ran.code).toBe(64);
    expect(ran.stderr).toMatch(message);
    expect(ran.stdout).toBe('');
  });

  it('is not there', async () => {
    const argv = [process.execPath, stage.program, 'nowhere.json'];
    expect(await runAgent({ argv, cwd: stage.fresh() })).toMatchObject({
      code: 64,
      stderr: expect.stringContaining('cannot read the scenario nowhere.json'),
    });
    const none = await runAgent({ argv: argv.slice(0, 2), cwd: stage.fresh() });
    expect(none).toMatchObject({ code: 64, stderr: expect.stringContaining('no scenario file given') });
  });
});

describe('what ralph reads of it', () => {
  const actions = [
    { action: 'print', text: 'First.' },
    { action: 'tool', name: 'Write', input: { file_path: '{task}.txt' } },
    { action: 'write', path: '{task}.txt', content: 'x' },
    { action: 'tool', name: 'Bash', input: { command: 'npm test' } },
    { action: 'print', text: 'Done.' },
    { action: 'status', status: 'DONE', exit_signal: true },
  ];
  const block = 'RALPH_STATUS\nTASK: a\nSTATUS: DONE\nEXIT_SIGNAL: true\nEND_RALPH_STATUS';

  it('a claude stream: its last message, its calls, its session', async () => {
    const { report } = await run({ output: 'claude-stream', steps: [{ do: actions }] });
    expect(report).toMatchObject({
      finalMessage: `Done.\n${block}`,
      toolCalls: 2,
      writeCalls: 1,
      ok: true,
      infrastructure: null,
    });
  });

  it('plain text: all that it printed, also what looks like a stream', async () => {
    const fake = '{"type":"result","is_error":true}';
    const { report } = await run({ steps: [{ do: [...says(fake), ...actions] }] });
    expect(report).toMatchObject({
      finalMessage: `${fake}\nFirst.\nDone.\n${block}\n`,
      toolCalls: 0,
      ok: true,
    });
  });

  it('a claude stream that fails has no closing report', async () => {
    const failing = [...says('so far'), { action: 'fail', stderr: 'boom', code: 1 }];
    const ran = await run({ output: 'claude-stream', steps: [{ do: failing }] });
    expect(ran).toMatchObject({ code: 1, stderr: 'boom\n', report: { finalMessage: 'so far', ok: true } });
    expect(ran.stdout).not.toContain('"result"');
  });
});
