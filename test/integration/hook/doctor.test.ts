import { stopHookOf } from 'ralph-agents';
import { describe, expect, it } from 'vitest';
import { hooksCheck } from '../../../src/app/doctor/checks/hooks.ts';
import type { Scene } from '../../../src/app/doctor/scene.ts';
import { makeRepository } from '../../helpers/repository.ts';

const HOOKS = { hooks: { Stop: [{ hooks: [{ type: 'command', command: './check.sh' }] }] } };

function withRalphs(agent: string, settings = ''): string {
  const hook = stopHookOf(agent);
  if (typeof hook === 'string') throw new Error(hook);
  return hook.add(settings, `ralph hook run ${agent} --max-asks 3`, 60);
}

/** Returns title, detail and fix of each finding. */
async function found(files: Readonly<Record<string, string>>) {
  const { root } = makeRepository(files);
  const findings = await hooksCheck.run({ root } as Scene);
  expect(findings.every(({ status }) => status === 'info')).toBe(true);
  return findings.map(({ title, detail, fix }) => [title, detail, fix]);
}

describe('ralph doctor names hooks of agents', () => {
  it.each([
    ['.claude/settings.json', JSON.stringify(HOOKS), 'claude'],
    ['.claude/settings.local.json', JSON.stringify(HOOKS), 'claude'],
    ['.codex/hooks.json', JSON.stringify(HOOKS), 'codex'],
    ['.codex/config.toml', 'notify = ["./told.sh"]\n', 'codex'],
    ['.github/hooks/all.json', JSON.stringify(HOOKS), 'copilot'],
    ['.gemini/settings.json', JSON.stringify(HOOKS), 'gemini'],
    ['.qwen/settings.json', JSON.stringify(HOOKS), 'qwen'],
    ['.factory/hooks.json', JSON.stringify(HOOKS), 'droid'],
    ['.pi/extensions/own/index.ts', 'export {};\n', 'pi'],
    ['.opencode/plugin/own.js', 'export {};\n', 'opencode'],
  ])('%s', async (file, text, agent) => {
    expect(await found({ [file]: text })).toEqual([
      [
        "hooks that ralph didn't install",
        `${file} (${agent}); these agents run them on their own`,
        'Remove those that no agent should run.',
      ],
    ]);
  });

  it('that ralph installed, with the command that removes them, and others in the same file', async () => {
    const [file, codex] = ['.claude/settings.json', '.codex/hooks.json'];
    const ralphs = ['claude asks ralph before it stops', file, 'To end that: ralph hook remove claude'];
    expect(await found({ [file]: withRalphs('claude') })).toEqual([ralphs]);
    expect(
      await found({ [file]: withRalphs('claude', JSON.stringify(HOOKS)), [codex]: withRalphs('codex') }),
    ).toEqual([
      ralphs,
      ['codex asks ralph before it stops', codex, 'To end that: ralph hook remove codex'],
      expect.arrayContaining([expect.stringContaining(`${file} (claude);`)]),
    ]);
  });

  it('and nothing where settings start nothing', async () => {
    const settings = {
      '.claude/settings.json': '{"permissions": {}}',
      '.codex/config.toml': 'model = "x"\n',
    };
    expect(await found({ ...settings, '.claude/agents/a.md': 'hooks', '.gemini/settings.json': '' })).toEqual(
      [],
    );
  });
});
