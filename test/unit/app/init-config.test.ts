import { expect, it } from 'vitest';
import { configText } from '../../../src/app/setup/init/config-text.ts';
import type { TriedGate } from '../../../src/app/setup/init/try-gates.ts';
import { loadConfig } from '../../../src/config/index.ts';

const gate = (name: string, result: TriedGate['result']): TriedGate => ({
  name,
  run: `run "${name}" \\ \u007f`,
  result,
  detail: `${result} \n here`,
});

function loaded(text: string) {
  const projectToml = { name: 'ralph.toml', text };
  const result = loadConfig({ userToml: null, projectToml, env: {}, flags: {} });
  if (!result.ok) throw new Error(JSON.stringify(result.problems));
  expect(result.unknownKeys).toEqual([]);
  return result.config;
}

it('what is commented out are the defaults, in every section', () => {
  const text = configText({ agent: 'auto', gates: [], trackerPath: null, hosts: [] });
  const config = loaded(text);
  const spelt = loaded(text.replace(/^# (?=\w+ = )/gm, ''));
  expect(spelt).toEqual(config);
  for (const section of ['adaptive_timeout', 'unblock', 'box', 'interventions'])
    expect(text).toMatch(new RegExp(`^\\[${section}\\]$`, 'm'));
  expect(text).toContain('# threshold_no_files = 3');
});

it('gates keep what is in them; one that cannot run is a comment with the reason', () => {
  const gates = [
    gate('a b', 'passed'),
    gate('"quoted"', 'failed'),
    gate('gone', 'tool_missing'),
    gate('slow', 'timed_out'),
  ];
  const text = configText({ agent: 'mine', gates, trackerPath: 'my "list".md', hosts: ['a.example'] });
  const config = loaded(text.replace('agent = "mine"', 'agent = "claude"'));
  expect(config.gates.commands).toMatchObject(
    gates.filter(({ name }) => name !== 'gone').map(({ name, run }) => ({ name, run })),
  );
  expect(text).toContain('a list of hosts, such as\n# ["a.example"].\n# network = "on"\n');
  expect(config.tracker.path).toBe('my "list".md');
  expect(text).toMatch(/# tool_missing .* when ralph init ran it:\n {2}# \{ name = "gone"/);
});
