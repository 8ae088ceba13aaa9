import * as fc from 'fast-check';
import type { AgentRequest } from 'ralph-agents/protocol';
import { expect, it } from 'vitest';
import { scriptedAgents } from '../../../src/app/demo/adapter.ts';

const CONTEXT = { node: '/bin/node', program: '/lib/scripted.js', defaultScenario: 'demo.json' };
const REQUEST = { env: {}, extraArgs: [], hook: null } as unknown as AgentRequest;

it('plays the default scenario, or that of [runners.NAME] scenario', () => {
  const { scripted, liar, mine } = scriptedAgents({ liar: { scenario: 'liar.json' }, mine: {} }, CONTEXT);
  expect(scripted?.plan(REQUEST)).toMatchObject({
    argv: ['/bin/node', '/lib/scripted.js', 'demo.json'],
    stdin: 'prompt',
  });
  expect(liar).toMatchObject({ name: 'liar' });
  expect(liar?.plan(REQUEST).argv.at(-1)).toBe('liar.json');
  expect(mine).toBeUndefined();
});

it('takes lines that are not signed for text, whatever they say', () => {
  const { scripted } = scriptedAgents({}, CONTEXT);
  fc.assert(
    fc.property(fc.oneof(fc.string({ unit: 'binary' }), fc.json()), (line) => {
      expect(scripted?.parse(line)).toEqual([{ kind: 'text', text: `${line}\n`, delta: true }]);
    }),
  );
  const signed =
    '{"session_id":"ralph-scripted-agent","type":"usage","input_tokens":1e999,"output_tokens":"x"}';
  expect(scripted?.parse(signed)).toMatchObject([{ kind: 'usage', scope: 'add' }]);
});
