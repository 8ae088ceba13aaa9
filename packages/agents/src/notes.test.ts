import { describe, expect, it } from 'vitest';
import { ADAPTERS, adapterFor, notesRead } from './index.ts';

const adapterOf = (name: string, runner = {}) => {
  const chosen = adapterFor(name, { [name]: runner });
  if (!chosen.ok) throw new Error(chosen.message);
  return chosen.adapter;
};
const read = (adapter: Parameters<typeof notesRead>[0], ...there: string[]) =>
  notesRead(adapter, false, (path) => there.includes(path));

const AGENTS = 'AGENTS.md';
const CLAUDE = 'CLAUDE.md';

describe('notes that a program reads itself', () => {
  it.each([
    ['claude', [AGENTS], [CLAUDE]],
    ['codex', [AGENTS], [AGENTS]],
    ['copilot', [AGENTS], [AGENTS, CLAUDE]],
    ['gemini', [], []],
    ['opencode', [AGENTS], [AGENTS]],
    ['qwen', [AGENTS], [AGENTS]],
    ['pi', [AGENTS], [AGENTS]],
    ['droid', [AGENTS], [AGENTS, CLAUDE]],
  ] as const)('%s: of AGENTS.md alone %j, beside CLAUDE.md %j', (name, alone, beside) => {
    expect(read(ADAPTERS[name], AGENTS)).toEqual(alone);
    expect(read(ADAPTERS[name], AGENTS, CLAUDE)).toEqual(beside);
    // What it doesn't find isn't left out: it may not be committed.
    expect(read(ADAPTERS[name])).toEqual([]);
  });

  it.each([
    // ralph's hook comes with the mark that the project isn't trusted, and then it reads none.
    ['codex', []],
    ['pi', [AGENTS]],
  ] as const)('%s, whose actions are reviewed: %j', (name, alone) => {
    expect(notesRead(ADAPTERS[name], true, (path) => path === AGENTS)).toEqual(alone);
  });

  it('goose, which speaks a protocol alone', () => {
    expect(read(adapterOf('goose', { protocol: 'acp' }), AGENTS)).toEqual([AGENTS]);
  });

  it.each([
    ['copilot', ['--no-custom-instructions']],
    ['pi', ['--no-context-files']],
    ['claude', ['--setting-sources=user']],
    ['codex', ['-c', 'project_doc_max_bytes=0']],
  ])('not by %s with %j', (name, extra_args) => {
    expect(read(adapterOf(name), AGENTS)).toEqual([AGENTS]);
    expect(read(adapterOf(name, { extra_args }), AGENTS)).toEqual([]);
  });

  it('by a command of yours that is known', () => {
    expect(read(adapterOf('mine', { argv: ['/opt/bin/cn', '-p', '{prompt}'] }), AGENTS)).toEqual([AGENTS]);
  });

  it('nor by another command of yours', () => {
    expect(read(adapterOf('claude', { argv: ['./mine.sh'] }), AGENTS)).toEqual([]);
  });
});
