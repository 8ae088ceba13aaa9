import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { redact } from './redact.ts';
import { redactDeep } from './redact-deep.ts';

const HIDDEN = '[redacted]';

describe('redactDeep', () => {
  it.each<[what: string, given: unknown, expected: unknown]>([
    ['a text', 'is zebra-crossing here', `is ${HIDDEN} here`],
    ['texts in lists in members', { a: [{ b: 'zebra-crossing' }] }, { a: [{ b: HIDDEN }] }],
    ['a name of a member', { 'x zebra-crossing': 1 }, { [`x ${HIDDEN}`]: 1 }],
    [
      'two names that become the same',
      { 'zebra-crossing': 1, 'zebra%2Dcrossing zebra-crossing': 2, [HIDDEN]: 3 },
      { [HIDDEN]: 1, [`zebra%2Dcrossing ${HIDDEN}`]: 2, [`${HIDDEN} (2)`]: 3 },
    ],
    ['an option and its value', ['curl', '--token', 'abcd1', 'x'], ['curl', '--token', HIDDEN, 'x']],
    ['a header and its value', ['X-Api-Key:', 'abcd1'], ['X-Api-Key:', HIDDEN]],
    ['a header in three parts', ['Authorization:', 'Bearer', 'abcd1'], ['Authorization:', 'Bearer', HIDDEN]],
    [
      'a header in one part',
      ['-H', 'Authorization: Bearer abcd1234x'],
      ['-H', `Authorization: Bearer ${HIDDEN}`],
    ],
    ['an option in a text', 'run --api-key abcd1 now', `run --api-key ${HIDDEN} now`],
    ['an option with its sign', 'run --api-key="abcd1" now', `run --api-key="${HIDDEN}" now`],
    ['a variable in a text', 'env db_password=abcd1 make', `env db_password=${HIDDEN} make`],
    ['variables as a list', ['A_SECRET=abcd1', 'HOME=/x/y'], [`A_SECRET=${HIDDEN}`, 'HOME=/x/y']],
    ['a query', 'https://x.y/z?access_token=abcd1&page=2', `https://x.y/z?access_token=${HIDDEN}&page=2`],
    ['a password in a URL', 'postgres://app:abcd1@db/x', `postgres://app:${HIDDEN}@db/x`],
    ['a member', { apiKey: 'abcd1', client_secret: 'abcd1' }, { apiKey: HIDDEN, client_secret: HIDDEN }],
    ['a list below a name', { token: ['abcd1', 'abcd2'] }, { token: [HIDDEN, HIDDEN] }],
    ['a pair of name and value', { name: 'API_TOKEN', value: 'abcd1' }, { name: 'API_TOKEN', value: HIDDEN }],
    ['JSON in a text', 'got {"accessToken":"abcd1"}', `got {"accessToken":"${HIDDEN}"}`],
    ['JSON in JSON', '{\\"accessToken\\": \\"abcd1\\"}', `{\\"accessToken\\": \\"${HIDDEN}\\"}`],
    [
      'a private key as lines',
      ['x', '-----BEGIN RSA PRIVATE KEY-----', 'MIIE', 'abcd', '-----END RSA PRIVATE KEY-----', 'y'],
      ['x', HIDDEN, HIDDEN, HIDDEN, HIDDEN, 'y'],
    ],
    [
      'the rest of a private key',
      `cut\n${'Zm9vYmFy'.repeat(8)}\n${'Zm9vYmFy'.repeat(8)}\nZm8=\n-----END PRIVATE KEY-----\ny`,
      `cut\n${HIDDEN}\ny`,
    ],
  ])('hides %s', (_what, given, expected) => {
    expect(redactDeep(given, ['zebra-crossing'])).toEqual(expected);
  });

  it.each<[given: unknown]>([
    [{ tokens: 12_000, tokenCount: 3, fileOperations: 0, ok: null, none: undefined }],
    [{ path: 'src/token.ts', key: 'parser', keys: ['a', 'b'], author: 'Some Person' }],
    [['--max-tokens', '1000', '--token', '--verbose']],
    [['--token', '$TOKEN', '--password-file', '/run/secrets/x']],
    ['npm run build --workspace=parser && git commit -m "token parser: first part"'],
    ['The secret of it is the password field, and the token of line 4.'],
    ['--auth basic, auth: none'],
    ['src/parser.ts:10 error TS2304: Cannot find name x'],
    [{ token: '', password: 'none', secret: null }],
  ])('leaves %j alone', (given) => {
    expect(redactDeep(given, [])).toEqual(given);
  });

  const secrets = fc.array(fc.string({ minLength: 4, maxLength: 12 }), { maxLength: 3 });
  const secretOf = (all: readonly string[]) => all.find((one) => one.trim().length >= 4) ?? '';

  it('keeps the structure, leaves no given secret, and doing it twice changes nothing more', () => {
    fc.assert(
      fc.property(fc.jsonValue(), secrets, fc.string(), (json, given, text) => {
        fc.pre(given.every((one) => !overlaps(one)));
        const secret = secretOf(given);
        const value = {
          json,
          planted: [text + secret, { [`k${secret}`]: secret, token: secret, argv: ['--token', secret] }],
        };
        const once = redactDeep(value, given);
        expect(shapeOf(once)).toEqual(shapeOf(value));
        expect(redactDeep(once, given)).toEqual(once);
        if (secret !== '') {
          for (const shown of textsOf(once)) expect(shown).not.toContain(secret);
        }
      }),
      { numRuns: 500 },
    );
  });

  it('stays the same when done twice, whatever names and values stand side by side', () => {
    const word = fc.constantFrom(
      '--token',
      '-H',
      'Authorization:',
      'Bearer',
      'bearer ',
      'API_KEY=',
      '"password": "',
      '"',
      '=',
      ': ',
      ' ',
      '\n',
      'hunter22',
      'abcd',
      HIDDEN,
      'https://u:',
      '@h/',
      '$X',
      '-----BEGIN PRIVATE KEY-----',
      '-----END PRIVATE KEY-----',
      'QUJDREVGR0hJSktMTU5PUA',
    );
    const texts = fc.array(word, { maxLength: 8 }).map((words) => words.join(''));
    fc.assert(
      fc.property(fc.array(fc.oneof(texts, word)), (list) => {
        const once = redactDeep({ list, token: list }, ['hunter22']);
        expect(redactDeep(once, ['hunter22'])).toEqual(once);
      }),
      { numRuns: 2000 },
    );
  });

  it('is quick on hostile text', () => {
    const lines = `${'A'.repeat(64)}\n`.repeat(4000);
    const hostile = [
      lines,
      'a'.repeat(200_000),
      '--token '.repeat(20_000),
      '"a": '.repeat(20_000),
      '='.repeat(200_000),
    ];
    // A test that hangs fails: nothing here may take quadratic time.
    expect(redactDeep(hostile, ['hunter22'])).toHaveLength(5);
  });
});

describe('redact', () => {
  it.each(['', 'a', 'ab', 'abc', 'user:'])('hides a given secret in base64, behind %j', (before) => {
    const secret = 'correct-horse?>battery';
    for (const encoding of ['base64', 'base64url'] as const) {
      const spelled = Buffer.from(`${before}${secret}; and more`).toString(encoding);
      const shown = redact(`x ${spelled} y`, [secret]);
      expect(shown).toContain(HIDDEN);
      expect(Buffer.from(shown.replaceAll(HIDDEN, ''), 'base64').toString('latin1')).not.toContain('horse');
    }
  });

  it('hides what is long enough to be a password when a part of it is hidden', () => {
    const once = redact('DB_PASSWORD=xabc1', ['abc1']);
    expect(once).toBe('DB_PASSWORD=[redacted]');
    expect(redact(once, ['abc1'])).toBe(once);
  });
});

/** A secret that shares characters with the mark itself could be made by hiding it. */
function overlaps(secret: string): boolean {
  return /[[\]]/.test(secret) || HIDDEN.includes(secret) || HIDDEN.includes(secret.trim());
}

function shapeOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(shapeOf);
  if (typeof value === 'object' && value !== null) return Object.values(value).map(shapeOf);
  return typeof value;
}

function textsOf(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return [...(Array.isArray(value) ? [] : Object.keys(value)), ...Object.values(value).flatMap(textsOf)];
}
