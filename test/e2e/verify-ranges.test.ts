/** @module-tag slow */

import { chmodSync, writeFileSync } from 'node:fs';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { HEAD, KEEPS, TITLE } from '../helpers/clamp-project.ts';
import { projectAt } from '../helpers/cli.ts';
import { makeRepository, temporaryFolder } from '../helpers/repository.ts';
import { commit, FIX, strange } from '../helpers/strange-project.ts';

afterEach(() => {
  vi.unstubAllEnvs();
});

describe('ralph verify', () => {
  it('distinguishes the index from the work tree', () => {
    const project = strange();
    for (const [name, text] of Object.entries(FIX)) project.write(name, text);
    project.git('add', '-A');
    project.write('src/clamp.js', 'export const clamp = () => 0;\n');
    const index = project.read('.git/index');
    expect(project.json('verify', '--staged')).toMatchObject({ verdict: 'verified', head: null, files: 2 });
    expect(project.json('verify', '--dirty')).toMatchObject({ verdict: 'not_verified', exit_code: 1 });
    expect(project.json('verify')).toMatchObject({ what: "what isn't committed", verdict: 'not_verified' });
    expect(project.read('.git/index')).toBe(index);
    expect(project.read('src/clamp.js')).toBe('export const clamp = () => 0;\n');
  });

  it('says which gate is not run as its held-out files are elsewhere', () => {
    const project = strange({
      '.ralph/ralph.toml': `[gates]
commands = [
  { name = "test", run = "npm test" },
  { name = "hidden", run = "node --test", held_out = "~/elsewhere" },
]
`,
    });
    commit(project, 'fix', FIX);
    const result = project.json('verify');
    expect(result, JSON.stringify(result)).toMatchObject({ exit_code: 0, verdict: 'verified' });
    expect(result.gates.map(({ name }: { name: string }) => name)).toEqual(['test']);
    expect(result.remarks.at(-1).text).toBe('gate "hidden" wasn\'t run: its held_out files aren\'t here');
  });

  it('finds a credential in a commit, although a later one took it away', () => {
    const project = strange();
    const token = ['ghp', '016C7aVr3kX9QmZt2LbN5sYwJ8eDfH4uPqRi'].join('_');
    project.git('checkout', '-q', '-b', 'feature');
    commit(project, 'key', { 'src/key.js': `export const key = '${token}';\n` });
    commit(project, 'fix', { ...FIX, 'src/key.js': 'export const key = process.env.KEY;\n' });
    const result = project.json('verify', '--branch', 'feature');
    expect(result, JSON.stringify(result)).toMatchObject({ exit_code: 1, verdict: 'not_verified' });
    expect(result.remarks[0]).toMatchObject({ rule: 'credential', path: 'src/key.js', line: 1 });
    expect(JSON.stringify(result)).not.toContain(token);
  });

  it('looks on the main branch at all that is not pushed, and past a commit of marks', () => {
    const project = strange();
    const asked = () => project.json('verify', '--branch', 'HEAD');
    const only = asked();
    expect(only, JSON.stringify(only)).toMatchObject({
      exit_code: 0,
      what: 'the only commit of HEAD',
      files: 3,
    });
    project.git('remote', 'add', 'origin', temporaryFolder());
    const token = ['ghp', '016C7aVr3kX9QmZt2LbN5sYwJ8eDfH4uPqRi'].join('_');
    project.git('update-ref', 'refs/remotes/origin/main', 'HEAD');
    commit(project, 'key', { 'src/key.js': `export const key = '${token}';\n` });
    const gates = '[[gates.commands]]\nname = "test"\nrun = "npm test"\n';
    const key = 'export const key = process.env.KEY;\n';
    commit(project, 'fix', { ...FIX, 'src/key.js': key, '.ralph/ralph.toml': gates });
    commit(project, 'Mark what is done', { '.ralph/PRD.md': '- [x] **T-1** One\n' });
    expect(asked()).toMatchObject({
      verdict: 'not_verified',
      what: "what of HEAD isn't pushed",
      remarks: expect.arrayContaining([expect.objectContaining({ rule: 'credential' })]),
    });
    project.git('update-ref', 'refs/remotes/origin/main', 'HEAD~1');
    expect(asked()).toMatchObject({
      ...{ verdict: 'verified', what: 'the last commit of HEAD' },
      remarks: expect.arrayContaining([expect.objectContaining({ rule: 'look', path: '.ralph/ralph.toml' })]),
    });
  });

  it('holds work to criteria and checks, and a report to its evidence', () => {
    const project = strange();
    project.git('checkout', '-q', '-b', 'feature');
    commit(project, 'fix', FIX);
    const folder = temporaryFolder();
    const ask = (criteria: string, ...more: string[]) => {
      writeFileSync(`${folder}/criteria.md`, criteria);
      return project.json(
        'verify',
        'main..',
        '--text',
        TITLE,
        '--criteria',
        `${folder}/criteria.md`,
        ...more,
      );
    };
    const check =
      'node -e "import(\'./src/clamp.js\').then((m) => process.exit(m.clamp(9, 0, 4) === 4 ? 0 : 1))"';
    const met = ask(`# What\n- \`src/clamp.js\` exports \`clamp\`\n- Check: \`${check}\`\n`);
    expect(met, JSON.stringify(met)).toMatchObject({ verdict: 'verified' });
    expect(JSON.stringify(met.remarks)).toContain('1 of 1 criterion shown by the files');
    const unmet = ask('- `src/clamp.js` exports `wrap`\n');
    expect(unmet, JSON.stringify(unmet)).toMatchObject({ verdict: 'not_verified' });
    expect(unmet.remarks[0]).toMatchObject({ rule: 'criterion', path: 'src/clamp.js' });
    writeFileSync(
      `${folder}/report.md`,
      'RALPH_STATUS\nTASK: T-9\nSTATUS: DONE\nEVIDENCE:\n- src/wrap.js:1-4 the function\nEND_RALPH_STATUS\n',
    );
    const told = ask('- `src/clamp.js` exports `clamp`\n', '--report', `${folder}/report.md`);
    expect(told.remarks[0], JSON.stringify(told)).toMatchObject({ rule: 'evidence' });
  });

  it('judges a pull request from the remote that has it', () => {
    const origin = makeRepository({
      'test/clamp.test.js': HEAD + KEEPS,
      'package.json': '{ "scripts": { "test": "node --test" }, "type": "module" }\n',
      'src/clamp.js': 'export const clamp = (x) => x;\n',
    });
    const top = temporaryFolder();
    origin.git('clone', '-q', origin.root, `${top}/clone`);
    origin.git('checkout', '-q', '-b', 'theirs');
    for (const [name, text] of Object.entries(FIX)) origin.write(name, text);
    const head = origin.commitAll('fix');
    origin.git('update-ref', 'refs/pull/7/head', head);
    origin.git('checkout', '-q', 'main');
    const project = projectAt(`${top}/clone`);
    project.write(
      '../bin/gh',
      '#!/bin/sh\n[ "$1 $2 $3" = "pr view 7" ] && echo \'{"baseRefName":"main","url":"https://github.com/a/b/pull/7"}\'\n',
    );
    chmodSync(`${top}/bin/gh`, 0o755);
    vi.stubEnv('PATH', `${top}/bin:${process.env.PATH}`);
    const refs = project.git('for-each-ref');
    const result = project.json('verify', '--pr', '7');
    expect(result, JSON.stringify(result)).toMatchObject({
      verdict: 'verified',
      head,
      what: 'pull request 7 since main',
    });
    expect(project.git('for-each-ref')).toBe(refs);
    expect(project.json('verify', '--pr', '8')).toMatchObject({ exit_code: 3 });
  });
});
