import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { namesIn } from 'ralph-kit/files/plain-file';
import { beforeAll, describe, expect, it } from 'vitest';
import { boxesOf, isWholeBox, shownCopy } from '../../../test/helpers/boxed.ts';
import { makeRepository, temporaryFolder } from '../../../test/helpers/repository.ts';

function put(home: string, name: string, text: string): void {
  mkdirSync(dirname(join(home, name)), { recursive: true });
  writeFileSync(join(home, name), text);
}

describe.skipIf(!isWholeBox)('where the kernel makes no layers', () => {
  beforeAll(() => {
    process.env.RALPH_LAYERS = 'off';
  });
  const envOf = (home: string) => ({ PATH: process.env.PATH, HOME: home });

  it.each(['.npm/_cacache/a', '.cargo/registry/a', '.cache/pip/a', 'go/pkg/mod/a'])(
    '%s: an empty folder stands there, and yours stays as it was',
    (name) => {
      const home = temporaryFolder();
      put(home, name, 'good\n');
      const run = boxesOf(makeRepository().root, { home, env: envOf(home) });
      const folder = `"$HOME/${dirname(name)}"`;
      for (const role of ['agent', 'gate'] as const) {
        expect(run(role, `cat ${folder}/a`).code).toBe(1);
        expect(run(role, `mkdir -p ${folder} && echo bad > ${folder}/a`).code).toBe(0);
      }
      expect(readFileSync(join(home, name), 'utf8')).toBe('good\n');
    },
  );

  it('browsers are read, settings are there without sign-ins, and nothing is written outside', () => {
    const home = temporaryFolder();
    put(home, '.cache/ms-playwright/chromium/chrome', 'good\n');
    put(home, '.npmrc', 'registry=https://a.example\n//a.example/:_authToken=4711\n');
    const before = namesIn(home).sort();
    const run = boxesOf(makeRepository().root, { home, env: envOf(home) });
    expect(run('gate', 'cat ~/.cache/ms-playwright/chromium/chrome ~/.npmrc').output).toBe(
      'good\nregistry=https://a.example\n',
    );
    expect(run('gate', 'echo x > ~/.profile').code).toBe(0);
    expect(namesIn(home).sort()).toEqual(before);
  });

  it('a gate finds what set-up left, and not what the agent did', () => {
    const home = temporaryFolder();
    const { copy, run } = shownCopy(makeRepository().root, { home, env: envOf(home) }, false);
    expect(run('set-up', 'echo s > ~/.of-set-up', copy).code).toBe(0);
    expect(run('agent', 'echo a > ~/.of-agent', copy).code).toBe(0);
    expect(run('gate', 'cat ~/.of-set-up && ! ls ~/.of-agent', copy).code).toBe(0);
  });
});
