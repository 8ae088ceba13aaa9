import { ADAPTERS } from 'ralph-agents';
import { parseHostEntry } from 'ralph-box/protocol/hosts';
import { expect, it } from 'vitest';
import { hostsFor } from '../../../src/app/commands/init.ts';

it('are those of the agent and of the registries of what is there, once each', () => {
  expect(hostsFor(['codex'], ['README.md', 'web/package.json', 'package.json', 'tools/go.mod'])).toEqual([
    ...['api.openai.com', 'chatgpt.com', 'auth.openai.com'],
    ...['registry.npmjs.org', 'proxy.golang.org', 'sum.golang.org'],
  ]);
  expect(hostsFor(['a command of yours'], [])).toEqual([]);
});

it('can be listed, and every agent has some', () => {
  const manifests = ['package.json', 'pyproject.toml', 'Cargo.toml', 'Gemfile', 'pom.xml', 'build.gradle'];
  for (const { name, hosts } of Object.values(ADAPTERS)) {
    expect(hosts, name).not.toEqual([]);
    const all = hostsFor([name], manifests);
    expect(all.filter((host) => !parseHostEntry(host).ok)).toEqual([]);
  }
});
