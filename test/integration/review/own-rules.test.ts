import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { readOwnRules } from '../../../src/app/setup/own-rules.ts';
import { hostOf } from '../../helpers/modules.ts';

let folder = '';
/** Returns the rules of a file in the test's folder. */
const read = (name: string) => readOwnRules(name, folder, hostOf(folder, [name]));
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'own-rules-'));
  writeFileSync(
    join(folder, 'a.toml'),
    '[[rule]]\nname = "no_ls"\nruling = "deny"\nwords = "ls*"\nreason = "No."\n',
  );
  writeFileSync(join(folder, 'broken.toml'), '[[rule]\n');
  writeFileSync(join(folder, 'a.mjs'), 'export default [{ name: "no_ls", judge: () => null }];\n');
  writeFileSync(join(folder, 'throws.mjs'), 'throw new Error("not today");\n');
});

describe('the file of your own rules', () => {
  it.each(['a.toml', 'a.mjs'])('%s', async (name) => {
    const { rules, problems } = await read(name);
    expect(problems).toEqual([]);
    expect(rules.map((rule) => rule.name)).toEqual(['no_ls']);
  });

  it('may be none', async () => expect(await read('')).toMatchObject({ rules: [], problems: [] }));

  it.each([
    ['broken.toml', /^broken\.toml: line 1, column \d+/],
    ['throws.mjs', /^throws\.mjs: It failed with Error: not today/],
    ['missing.toml', /^missing\.toml: ENOENT/],
    ['rules.json', /^rules\.json: Rules are in a \.toml file/],
  ])('%s is named with what is wrong', async (name, problem) => {
    const { rules, problems } = await read(name);
    expect(rules).toEqual([]);
    expect(problems).toEqual([expect.stringMatching(problem)]);
  });
});
