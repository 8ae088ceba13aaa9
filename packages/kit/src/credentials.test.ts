import * as fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { findCredentials } from './credentials.ts';

// Put together here, so that no scanner takes the examples for real ones.
const body = (length: number): string => 'aB3dE5gH7jK9mN1pQ2rS4tU6vW8xY0z'.repeat(4).slice(0, length);
const join = (...parts: string[]): string => parts.join('');
const GITHUB = join('ghp', '_', body(36));
const AWS = join('AKIA', 'Q7ZK2M9XW4T8B3LD');
const KEY_HEAD = join('-----BEGIN RSA PRIVATE', ' KEY-----');
const KEY_LINE = body(64);

/** Returns a diff that adds these lines to a file. */
function adding(path: string, ...lines: string[]): string {
  return [
    `diff --git a/${path} b/${path}`,
    'new file mode 100644',
    '--- /dev/null',
    `+++ b/${path}`,
    `@@ -0,0 +1,${lines.length} @@`,
    ...lines.map((line) => `+${line}`),
    '',
  ].join('\n');
}

it.each([
  ['behind a long line', [' x = 1;'.repeat(100_000) + AWS]],
  ['behind many lines', [...Array.from({ length: 200_000 }, (_, index) => String(index)), `k = ${AWS}`]],
])('nothing hides one: %s', (_, lines) => {
  expect(findCredentials(adding('a.js', ...lines))).toEqual([
    { path: 'a.js', line: lines.length, kind: 'AWS access key' },
  ]);
});

describe('what is found in an added line', () => {
  it.each([
    ['Anthropic key', join('sk', '-ant-api03-', body(40))],
    ['API key', join('sk', '-proj-', body(40))],
    ['API key', join('sk', '-', body(48))],
    ['Stripe key', join('sk', '_live_', body(24))],
    ['GitHub token', GITHUB],
    ['GitHub token', join('github', '_pat_', body(22), '_', body(59))],
    ['GitLab token', join('glpat', '-', body(20))],
    ['AWS access key', AWS],
    ['Google API key', join('AIza', body(35))],
    ['Slack token', join('xoxb', '-739184625013-', body(24))],
    ['Slack webhook', join('https://hooks.slack', '.com/services/T8KQ2M4XZ/B7WN3P5RV/', body(24))],
    ['npm token', join('npm', '_', body(36))],
    ['PyPI token', join('pypi', '-', body(60))],
    ['Hugging Face token', join('hf', '_', body(34))],
    ['SendGrid key', join('SG', '.', body(22), '.', body(43))],
  ])('%s', (kind, token) => {
    const patch = adding('config.ts', 'one', `const key = "${token}";`);
    expect(findCredentials(patch)).toEqual([{ path: 'config.ts', line: 2, kind }]);
    expect(JSON.stringify(findCredentials(patch))).not.toContain(token.slice(-10));
  });

  it.each([
    ['in a file', [KEY_HEAD, KEY_LINE, body(40)]],
    ['in a string', [`const key = "${KEY_HEAD}\\n${KEY_LINE}\\n"`]],
    ['in lines of strings', [`"${KEY_HEAD}\\n" +`, `"${KEY_LINE}\\n" +`]],
  ])('a private key %s', (_, lines) => {
    expect(findCredentials(adding('server.pem', ...lines))).toEqual([
      { path: 'server.pem', line: 1, kind: 'private key' },
    ]);
  });

  it('a token in a test, which looks issued as well', () => {
    expect(findCredentials(adding('test/x.test.ts', GITHUB))).toHaveLength(1);
  });

  it('one kind of a line once, several kinds each', () => {
    expect(findCredentials(adding('.env', `${GITHUB} ${GITHUB} ${AWS}`)).map(({ kind }) => kind)).toEqual([
      'GitHub token',
      'AWS access key',
    ]);
  });
});

it('a file of UTF-16 hides none', () => {
  const wide = [...AWS].join('\0');
  expect(findCredentials(adding('a.ps1', `\0"\0${wide}\0"\0`))).toMatchObject([{ kind: 'AWS access key' }]);
});

describe('what is passed over', () => {
  it.each([
    ['the example of a manual', join('AKIA', 'IOSFODNN7EXAMPLE')],
    ['a placeholder of x', join('ghp', '_', 'x'.repeat(36))],
    ['a placeholder of words', join('sk', '-ant-your-token-goes-in-this-place')],
    ['a row of zeros', join('AKIA', '0'.repeat(16))],
    ['a row of the alphabet', join('ghp', '_abcdefghijklmnopqrstuvwxyz0123456789')],
    ['a row of digits', join('glpat', '-12345678901234567890')],
    ['few characters again and again', join('npm', '_', 'abca'.repeat(9))],
    ['a key of a test mode', join('sk', '_test_', body(24))],
    ['a token called fake', join('hf', '_fake', body(34))],
    ['a JSON web token', join('eyJ', 'hbGciOiJIUzI1NiJ9', '.eyJ', 'zdWIiOiIxMjM0NTY3ODkwIn0', '.', body(43))],
    ['a password in a setting', 'DB_PASSWORD=correcthorsebattery'],
    ['a password in a URL', 'postgres://app:p4ssw0rd@localhost:5432/app'],
    ['a variable', 'const token = process.env.GITHUB_TOKEN;'],
    ['the name of a form', 'tokens begin with ghp_ or github_pat_'],
    [
      'a hash',
      'sha512-z4PhNX7vuL3xVChQ1m2AB9Yg5AULVxXcg/SpIdNs6c5H0NE8XYXysP+DGNKHfuwvY7kxvUdBeoGlODJ6+SfaPg==',
    ],
    ['a commit', '9fceb02d0ae598e95dc970b74767f19372d61af8'],
    ['the header of a key alone', `if (text.includes("${KEY_HEAD}")) hide();`],
    ['a certificate', join('-----BEGIN CERT', 'IFICATE-----\\n', KEY_LINE)],
  ])('%s', (_, line) => {
    expect(findCredentials(adding('src/a.ts', line, 'next line'))).toEqual([]);
  });

  it.each(['test/fixtures/server.key', 'src/tls.test.ts', 'spec/key.pem'])(
    'a private key of a test (%s)',
    (path) => {
      expect(findCredentials(adding(path, KEY_HEAD, KEY_LINE))).toEqual([]);
    },
  );

  it('what the patch takes away elsewhere: the line was moved', () => {
    const away = `--- a/old.ts\n+++ b/old.ts\n@@ -3,1 +2,0 @@\n-${GITHUB}\n`;
    expect(findCredentials(away)).toEqual([]);
    expect(findCredentials(adding('new.ts', GITHUB) + away)).toEqual([]);
  });

  it('what was there before', () => {
    expect(findCredentials(`+++ b/a.ts\n@@ -1,2 +1,2 @@\n ${GITHUB}\n-x\n+y\n`)).toEqual([]);
  });

  it.each(['', '\n', 'no patch', '@@', '+++ b/x\n@@ -1 +1 @@', `+${GITHUB}`])(
    'what isn\'t a patch: "%s"',
    (patch) => {
      expect(findCredentials(patch)).toEqual([]);
    },
  );
});

describe('where it is found', () => {
  it('counts lines over hunks, and distinguishes an added `++ x` from a header', () => {
    const patch = [
      '--- a/a.ts',
      '+++ b/a.ts',
      '@@ -1,2 +1,3 @@',
      ' one',
      '+++ b/not-a-header.ts',
      ' two',
      '@@ -10,3 +11,3 @@ function x() {',
      ' ten',
      '-eleven',
      '\\ No newline at end of file',
      `+${GITHUB}`,
      ' twelve',
      '\\ No newline at end of file',
      '--- a/b c.ts',
      '+++ b/b c.ts\t',
      '@@ -0,0 +1 @@',
      `+${AWS}`,
      '--- a/q',
      '+++ "b/\\303\\251.ts"',
      '@@ -1 +1 @@',
      '-x',
      `+${AWS}`,
      '',
    ].join('\n');
    expect(findCredentials(patch).map(({ path, line }) => `${path}:${line}`)).toEqual([
      'a.ts:12',
      'b c.ts:1',
      'é.ts:1',
    ]);
  });

  it('names at most 50', () => {
    const lines = Array.from({ length: 200 }, () => GITHUB);
    expect(findCredentials(adding('x', ...lines))).toHaveLength(50);
  });
});

test('whatever the patch, nothing is thrown, and what is found lies in a line that was added', () => {
  const piece = fc.constantFrom(
    '+',
    '-',
    ' ',
    '@@ -1,9 +1,9 @@',
    '+++ b/x',
    GITHUB,
    KEY_HEAD,
    KEY_LINE,
    '\n',
    '\n',
    'x',
  );
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        fc.array(piece, { maxLength: 60 }).map((all) => all.join('')),
      ),
      (patch) => {
        for (const { line } of findCredentials(patch)) {
          expect(line).toBeGreaterThan(0);
          expect(patch).toMatch(/^\+/m);
        }
      },
    ),
    { numRuns: 1000 },
  );
});

test('stays cheap on hostile input', () => {
  for (const piece of [
    'sk-',
    'A',
    'ghp_',
    'xoxb-a',
    '-----BEGIN PRIVATE',
    'eyJ',
    '+',
    'SG.',
    `${KEY_HEAD}\n+`,
  ]) {
    const patch = adding('x', piece.repeat(1_000_000 / piece.length));
    expect(findCredentials(patch).length).toBeLessThanOrEqual(50);
  }
});
