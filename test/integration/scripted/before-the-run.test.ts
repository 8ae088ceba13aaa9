import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { adapterNamed } from '../../../src/app/setup/choose-agent.ts';
import { Config } from '../../../src/domain/config.ts';

let root: string;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'ralph-scenario-'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const config = (runners: object) => Config.parse({ runners });
const write = (text: string) => writeFileSync(join(root, 'scenario.json'), text);
const PLAYED = { scripted: { scenario: 'scenario.json' } };

it.each([
  ['can be played', '{"steps": [{"do": []}]}'],
  ['has a step for everything else', '{"steps": [], "otherwise": []}'],
  ['begins with a byte order mark', '\ufeff{"steps": [{"do": []}]}'],
])('a scenario that %s gives an agent', (_, text) => {
  write(text);
  expect(adapterNamed('scripted', root, config(PLAYED))).toMatchObject({ ok: true });
});

it.each([
  ["isn't JSON", '{"steps": ['],
  ['has a mistake within its lines', '{\n "steps": [\n{"do": [1,]}\n'],
  ['has no steps', '{"steps": []}'],
  ['has unknown actions', '{"steps": [{"do": [{"action": "dance"}, {"action": "sing"}]}]}'],
])('a scenario that %s is an error before any attempt', (_, text) => {
  write(text);
  expect(adapterNamed('scripted', root, config(PLAYED))).toMatchObject({
    ok: false,
    message: expect.stringMatching(/scenario\.json(?!.*\\n).*$/),
    next: 'Fix scenario.json, then: ralph run',
  });
});

it('one that is missing is named, and a command of your own in its place needs none', () => {
  expect(adapterNamed('scripted', root, config(PLAYED))).toMatchObject({
    ok: false,
    message: expect.stringContaining("doesn't exist"),
  });
  const own = config({ scripted: { argv: ['agent'], scenario: 'scenario.json' } });
  expect(adapterNamed('scripted', root, own)).toMatchObject({ ok: true });
});
