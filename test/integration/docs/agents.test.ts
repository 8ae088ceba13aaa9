import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import type { AgentAdapter } from 'ralph-agents/protocol';
import { beforeAll, describe, expect, it } from 'vitest';
import { EXTENSIONS } from '../../helpers/extensions.ts';
import { temporaryFolder } from '../../helpers/repository.ts';
import { changesOf } from '../../helpers/source-check.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const diff = join(temporaryFolder(), 'agent.diff');
writeFileSync(diff, EXTENSIONS.get('An agent') ?? '');
const example = changesOf(diff).get('packages/agents/src/sketch.ts') ?? '';

let folder = '';
let sketch: AgentAdapter;
beforeAll(async () => {
  folder = temporaryFolder();
  const outfile = join(folder, 'sketch.mjs');
  const stdin = { contents: example, resolveDir: `${root}packages/agents/src`, loader: 'ts' as const };
  await build({ stdin, outfile, bundle: true, format: 'esm', platform: 'node' });
  ({ sketch } = await import(pathToFileURL(outfile).href));
});

const REQUEST = {
  ...{ prompt: 'p', promptFile: '/p.md', cwd: '/repo', model: 'big', extraArgs: ['--fast'], env: { A: '1' } },
  ...{
    resume: 's-1',
    session: '00000000-0000-8000-8000-000000000001',
    title: 'Write the parser',
    boxed: false,
    reportFile: '/state/report.json',
    hook: null,
  },
};
const GATE = { folder: '/state/1', client: 'ask', socket: '/s', token: 't', patienceSeconds: 90 };

describe('the agent of docs/EXTENDING.md', () => {
  it('is short', () => {
    expect(example.trim().split('\n').length).toBeLessThan(110);
  });

  it('makes a command line', () => {
    expect(sketch.plan(REQUEST).argv).toEqual([
      'sketch',
      'run',
      '--json',
      '--yes',
      '--model',
      'big',
      '--resume',
      's-1',
      '--fast',
    ]);
    const gated = sketch.plan({ ...REQUEST, hook: GATE });
    expect(gated.argv).toContain('/state/1/settings.json');
    expect(JSON.parse(gated.files?.[0]?.content ?? '').hooks.PreToolUse[0].hooks[0]).toEqual({
      type: 'command',
      command: 'ask',
      timeout: 90,
    });
  });

  it.each([
    ['{"type":"start","session":"s-1"}', [{ kind: 'session', id: 's-1' }]],
    ['{"type":"says","text":"hello"}', [{ kind: 'text', text: 'hello', delta: false }]],
    [
      '{"type":"call","id":"1","tool":"Bash","input":{"command":"ls"}}',
      [{ kind: 'tool_call', action: { id: '1' } }],
    ],
    ['{"type":"called","id":"1","ok":true,"output":"a"}', [{ kind: 'tool_result', ok: true, output: 'a' }]],
    [
      '{"type":"error","status":429,"text":"slow down"}',
      [{ kind: 'limit' }, { kind: 'error', cause: 'throttled' }],
    ],
    [
      '{"type":"end","ok":true,"tokens":{"in":3,"out":4}}',
      [
        { kind: 'usage', usage: [{ inputTokens: 3, outputTokens: 4 }] },
        { kind: 'result', ok: true },
      ],
    ],
    ['{"type":"something new"}', []],
    ['no JSON', []],
  ])('reads %s', (line, events) => {
    expect(sketch.parse(line)).toMatchObject(events);
  });

  it('has a hook', () => {
    const { hook } = sketch;
    if (hook?.transport !== 'hook') throw new Error('it has a hook');
    const call = {
      hook_event_name: 'PreToolUse',
      tool_name: 'Bash',
      tool_input: { command: 'ls' },
      tool_use_id: '1',
    };
    const message = hook.read(JSON.stringify(call));
    expect(message).toMatchObject({ kind: 'action', action: { id: '1', tool: 'Bash' } });
    const denied = hook.answer(message, { decision: 'deny', rule: 'r', reason: 'because' });
    expect(denied.text).toContain('because');
    expect(hook.answer(message, { decision: 'allow' })).toEqual({ text: '', exitCode: 0 });
  });
});
