/** @module-tag rest */

import { readdirSync } from 'node:fs';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { stateHomeOf } from '../../src/app/setup/state-home.ts';
import { HEAD, KEEPS } from '../helpers/clamp-project.ts';
import { commit, FIX, strange } from '../helpers/strange-project.ts';

afterEach(() => {
  vi.unstubAllEnvs();
});

describe('ralph verify', () => {
  it('gives a verdict in a repository that never saw ralph, and leaves nothing there', () => {
    const project = strange();
    project.git('checkout', '-q', '-b', 'feature');
    commit(project, 'fix', FIX);
    const refs = project.git('for-each-ref');
    const { code: exit, stdout, stderr } = project.ralph('verify');
    expect(exit, stdout + stderr).toBe(0);
    expect(stdout).toContain('verified: feature since main (2 files, proof: tests');
    expect(stdout).toContain('1 test fails without the work and passes with it: clamp bounds what is above');
    expect(stdout).toContain('no task text given (--text): only gates and tests were judged');
    expect(project.git('status', '--porcelain', '--ignored')).toBe('');
    expect(project.git('for-each-ref')).toBe(refs);
    expect(project.exists('.git/ralph')).toBe(false);
    expect(readdirSync(`${stateHomeOf(project.path('.git'))}/slots`)).toEqual([]);
  });

  it('is by the settings of before: those of the work are a part of it', () => {
    const project = strange();
    project.git('checkout', '-q', '-b', 'feature');
    const disarmed = `import assert from 'node:assert/strict';\nassert.equal = () => undefined;\n`;
    commit(project, 'fix', {
      '.ralph/ralph.toml':
        '[proof]\nmode = "off"\n[[gates.commands]]\nname = "test"\nrun = "node --import ./disarm.mjs --test"\n',
      'disarm.mjs': disarmed,
      'src/clamp.js': 'export const clamp = () => 1;\n',
    });
    for (const at of ['feature', 'main']) {
      project.git('checkout', '-q', at);
      const result = project.json('verify', 'main..feature');
      expect(result, JSON.stringify(result)).toMatchObject({ exit_code: 1, verdict: 'not_verified' });
      expect(JSON.stringify(result.remarks)).toContain('it is judged by the settings of before');
    }
  });

  it('is not by a proof that the work switched off, with checks that its code disarms', () => {
    const project = strange();
    project.git('checkout', '-q', '-b', 'feature');
    commit(project, 'fix', {
      '.ralph/ralph.toml': '[proof]\nmode = "off"\n',
      'src/clamp.js':
        "import assert from 'node:assert/strict';\nassert.equal = () => undefined;\nexport const clamp = () => 1;\n",
    });
    const result = project.json('verify');
    expect(result, JSON.stringify(result)).toMatchObject({ exit_code: 1, verdict: 'not_verified' });
  });

  it('is weak about an expectation that was bent, unless it was asked for', () => {
    const project = strange();
    project.git('checkout', '-q', '-b', 'feature');
    commit(project, 'one more', {
      'src/clamp.js': 'export const clamp = (x, low, high) => x + 1;\n',
      'test/clamp.test.js': HEAD + KEEPS.replace('clamp(3, 0, 5), 3)', 'clamp(3, 0, 5), 4)'),
    });
    const unasked = project.json('verify', 'main..feature');
    expect(unasked, JSON.stringify(unasked)).toMatchObject({ exit_code: 0, verdict: 'verified_weak' });
    expect(JSON.stringify(unasked.remarks)).toContain('clamp keeps what is inside');
    const asked = project.json('verify', 'main..feature', '--text', 'clamp(3, 0, 5) must be 4');
    expect(asked, JSON.stringify(asked)).toMatchObject({ exit_code: 0, verdict: 'verified' });
  });

  it('says what broke, where, in each form', () => {
    const project = strange(FIX);
    commit(project, 'break', {
      'src/clamp.js': 'export const clamp = (x, low, high) => Math.max(low, x);\n',
    });
    const broken = { rule: 'gates', level: 'error', path: 'test/clamp.test.js', line: 5 };
    const result = project.json('verify');
    expect(result).toMatchObject({ exit_code: 1, verdict: 'not_verified', what: 'the last commit of main' });
    expect(result.remarks[0], JSON.stringify(result)).toMatchObject(broken);
    expect(result.remarks[0].excerpt.join()).toContain('10 !== 5');
    const sarif = JSON.parse(project.ralph('verify', '--format', 'sarif').stdout);
    expect(sarif.runs[0].results).toMatchObject([{ ruleId: 'gates', level: 'error' }]);
    const comment = project.ralph('verify', '--format', 'markdown').stdout;
    expect(comment).toContain('### ralph verify: not verified');
    expect(comment).toContain('| test | passed | failed | regression |');
  });

  it("holds nothing against work that was red before, and can't tell what only red gates say", () => {
    const project = strange({ 'test/other.test.js': `${HEAD}test('never', () => assert.fail('never'));\n` });
    commit(project, 'docs', { 'README.md': 'Bounds a number.\n' });
    const result = project.json('verify');
    expect(result, JSON.stringify(result)).toMatchObject({ exit_code: 2, verdict: 'cant_tell' });
    expect(JSON.stringify(result.remarks)).toContain("failed before the work, too: that doesn't count");
  });

  it('runs nothing that is not trusted, and distinguishes a mistake in the call from a verdict', () => {
    const project = strange();
    commit(project, 'fix', FIX);
    vi.stubEnv('RALPH_TRUST', '');
    const refused = project.ralph('verify');
    expect(refused.code).toBe(3);
    expect(refused.stderr).toContain('npm test');
    expect(refused.stderr).toContain('ralph verify --trust');
    expect(project.json('trust')).toMatchObject({ was: 'untrusted', state: 'trusted' });
    expect(project.json('verify')).toMatchObject({ exit_code: 0, verdict: 'verified' });
    for (const args of [
      ['main'],
      ['a..b'],
      ['--branch', 'nowhere'],
      ['--staged', '--dirty'],
      ['--odd'],
      ['--pr', 'x'],
      ['--criteria', 'none.md'],
      ['--task', 'T-9'],
    ])
      expect(project.json('verify', ...args), args.join(' ')).toMatchObject({ exit_code: 3 });
  });
});
