/** @module-tag slow */

import { renameSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { projectAt } from '../helpers/cli.ts';
import { makeRepository, temporaryFolder } from '../helpers/repository.ts';
import { makeSigningKey } from '../helpers/signing-key.ts';

const HEAD =
  "import { test } from 'node:test';\nimport assert from 'node:assert/strict';\nimport { one } from '../src/one.js';\n";

it('a receipt of a commit holds in a clone, moved, and as a note; of what is not committed there is none', () => {
  const project = projectAt(
    makeRepository({
      'package.json': '{ "type": "module", "scripts": { "test": "node --test" } }\n',
      'src/one.js': 'export const one = 2;\n',
      'test/one.test.js': `${HEAD}test('is a number', () => assert.equal(typeof one, 'number'));\n`,
    }).root,
  );
  const key = makeSigningKey();
  const folder = temporaryFolder();
  const signers = join(folder, 'allowed_signers');
  const receipt = join(folder, 'receipt.json');
  const allowed = projectAt(folder);
  allowed.write('allowed_signers', `me@example.com ${key.key}\n`);
  project.write('src/one.js', 'export const one = 1;\n');
  const asked = ['--receipt', receipt];
  const dirty = project.ralph('verify', ...asked, '--sign', key.file);
  expect(dirty).toMatchObject({ code: 3, stderr: expect.stringContaining("this isn't committed") });
  project.write('test/one.test.js', `${HEAD}test('is one', () => assert.equal(one, 1));\n`);
  project.commitAll('one');
  const without = project.ralph('verify', 'HEAD~1..HEAD', ...asked);
  expect(without).toMatchObject({ code: 3, stderr: expect.stringContaining('git has none for that') });
  // A path that can't be written is refused before anything is judged.
  const nowhere = project.ralph('verify', 'HEAD~1..HEAD', '--receipt', 'none/receipt.json');
  expect(nowhere).toMatchObject({ code: 3, stderr: expect.stringContaining('There is no folder') });
  const keyless = project.ralph('verify', 'HEAD~1..HEAD', ...asked, '--sign', '/nonexistent');
  expect(keyless).toMatchObject({ code: 3, stderr: expect.stringContaining('There is no key /nonexistent') });

  // Receipts are signed as git signs commits; the commit already has a note of a user.
  project.git('config', 'gpg.format', 'ssh');
  project.git('config', 'user.signingKey', `${key.file}.pub`);
  project.git('config', 'gpg.ssh.allowedSignersFile', signers);
  project.git('notes', '--ref=ralph', 'add', '-m', 'mine', 'HEAD');
  project.git('notes', '--ref=ralph', 'add', '-m', 'of another commit', 'HEAD~1');
  const made = project.json('verify', 'HEAD~1..HEAD', ...asked, '--note');
  expect(made, JSON.stringify(made)).toMatchObject({
    ...{ verdict: 'verified', exit_code: 0 },
    receipt: { file: receipt, note: 'refs/notes/ralph', key: expect.stringMatching(/^SHA256:/) },
  });
  expect(project.ralph('verify', 'HEAD~1..HEAD', ...asked).stderr).toContain('is there already');
  const note = project.git('notes', '--ref=ralph', 'show', 'HEAD').split('\n');
  expect(note[0]).toBe('mine');
  expect(project.git('notes', '--ref=ralph', 'show', 'HEAD~1')).toBe('of another commit');
  expect(`${note.at(-1)}\n`).toBe(allowed.read('receipt.json'));
  expect(project.git('status', '--porcelain')).toBe('');

  const [first, moved] = [join(temporaryFolder(), 'clone'), join(temporaryFolder(), 'moved')];
  project.git('clone', '-q', project.root, first);
  renameSync(first, moved);
  const clone = projectAt(moved);
  const holds = clone.ralph('verify', '--check', receipt, '--signers', signers);
  expect(holds, holds.stderr).toMatchObject({ code: 0 });
  expect(holds.stdout).toMatch(/^holds: verified: \w{10} since \w{10} \(proof: tests\)\n/);
  expect(holds.stdout).toContain('signed by me@example.com (SHA256:');
  expect(holds.stdout).toContain('gate "test" (npm test): passed');
  expect(clone.json('verify', '--check', receipt, '--signers', signers)).toMatchObject({
    ...{ holds: true, exit_code: 0, against: [] },
    receipt: { verdict: 'verified', head: made.head, base: made.base },
  });
  expect(clone.json('verify', 'HEAD~1..HEAD', '--check', receipt, '--signers', signers)).toMatchObject({
    holds: true,
  });
  clone.write('src/one.js', 'export const one = 3;\n');
  clone.commitAll('three');
  const later = clone.ralph('verify', 'HEAD~1..HEAD', '--check', receipt, '--signers', signers);
  expect(later.code).toBe(3);
  expect(later.stdout).toMatch(
    /^refused: this receipt shows nothing\n✖ its commit is \w{10}, and you ask about/,
  );

  const elsewhere = projectAt(makeRepository().root);
  const foreign = elsewhere.ralph('verify', '--check', receipt, '--signers', signers);
  expect(foreign).toMatchObject({ code: 3, stdout: expect.stringContaining("isn't in this repository") });
});
