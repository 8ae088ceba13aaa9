import { describe, expect, it } from 'vitest';
import { canonicalItems, commandItems } from '../../../src/app/setup/trust/trust-items.ts';
import { loaded } from '../config/load.ts';

const items = (text: string) => {
  const { config, entries } = loaded(text);
  return commandItems(entries(), config);
};
const line = (text: string) => canonicalItems(items(text));

describe('what a project would run', () => {
  it.each([
    ['nothing', '[loop]\nagent = "codex"\nmode = "quality"\n[runners.claude]\nmodel = "x"', []],
    [
      'a gate',
      '[gates]\ncommands = ["npm test", { name = "lint", run = "npm run lint" }]',
      [
        { kind: 'gate', name: 'npm test', text: 'npm test' },
        { kind: 'gate', name: 'lint', text: 'npm run lint' },
      ],
    ],
    [
      'prek, where it is on',
      '[gates.prek]\nenabled = true',
      [{ kind: 'gate', name: 'prek', text: "prek run '--all-files'" }],
    ],
    ['prek, where it is off', '[gates.prek]\nargv = ["evil"]', []],
    [
      'a runner',
      '[runners.x]\nargv = ["sh", "-c", "a b"]\nenv = { PATH = "/evil" }',
      [
        { kind: 'agent', name: 'runners.x.argv', text: 'sh -c "a b"' },
        { kind: 'agent', name: 'runners.x.env.PATH', text: '/evil' },
      ],
    ],
    [
      'arguments of a built-in agent',
      '[runners.codex]\nextra_args = ["--yolo"]',
      [{ kind: 'agent', name: 'runners.codex.extra_args', text: '--yolo' }],
    ],
    [
      'a runner with a dot in its name',
      '[runners."a.env.b"]\nargv = ["x"]',
      [{ kind: 'agent', name: 'runners."a.env.b".argv', text: 'x' }],
    ],
  ])('%s', (_what, text, expected) => {
    expect(items(text)).toEqual(expected);
  });

  it('two lists of arguments never look the same', () => {
    expect(line('[runners.x]\nargv = ["a", "b c"]')).not.toBe(line('[runners.x]\nargv = ["a", "b", "c"]'));
    expect(line('[runners.x]\nargv = ["a", "\\"b\\""]')).not.toBe(line('[runners.x]\nargv = ["a", "b"]'));
  });

  it('the order of settings does not matter, a command does', () => {
    const one = '[gates]\ncommands = ["a", "b"]';
    expect(line(`${one}\n[loop]\nmode = "quality"`)).toBe(
      line('[gates]\ntimeout = 5\ncommands = ["b", "a"]'),
    );
    expect(line(one)).not.toBe(line('[gates]\ncommands = ["a", "c"]'));
  });
});
