import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { redact, secretsFromEnv } from './redact.ts';

// Put together here, so that no scanner takes the examples for real ones.
const body = (length: number): string => 'aB3dE5gH7jK9mN1pQ2rS4tU6vW8xY0z'.repeat(4).slice(0, length);
const join = (...parts: string[]): string => parts.join('');

const TOKENS: [kind: string, token: string][] = [
  ['OpenAI', join('sk', '-', body(48))],
  ['OpenAI project', join('sk', '-proj-', body(20), '-', body(30))],
  ['Anthropic', join('sk', '-ant-api03-', body(40), '_', body(20))],
  ['Stripe', join('sk', '_live_', body(24))],
  ['GitHub classic', join('ghp', '_', body(36))],
  ['GitHub app', join('ghs', '_', body(36))],
  ['GitHub fine-grained', join('github', '_pat_', body(22), '_', body(59))],
  ['GitLab', join('glpat', '-', body(20))],
  ['AWS', join('AKIA', 'IOSFODNN7EXAMPLE')],
  ['Google', join('AIza', body(35))],
  ['Slack', join('xoxb', '-123456789012-', body(24))],
  ['npm', join('npm', '_', body(36))],
  ['PyPI', join('pypi', '-', body(60))],
  ['Hugging Face', join('hf', '_', body(34))],
  ['SendGrid', join('SG', '.', body(22), '.', body(43))],
  ['JWT', join('eyJ', 'hbGciOiJIUzI1NiJ9', '.eyJ', 'zdWIiOiIxMjM0NTY3ODkwIn0', '.', body(43))],
];

describe('redact', () => {
  it.each(TOKENS)('hides a token of %s', (_, token) => {
    for (const text of [`key ${token} end`, `KEY="${token}"`, `[${token}]`, `${token}\n`]) {
      const shown = redact(text, []);
      expect(shown).not.toContain(token.slice(6, 18));
      expect(shown).toContain('[redacted]');
    }
    expect(redact(`key ${token} end`, [])).toBe('key [redacted] end');
  });

  const key = (kind: string): string =>
    `-----BEGIN ${kind}PRIVATE KEY-----\n${body(64)}\n${body(40)}\n-----END ${kind}PRIVATE KEY-----`;

  it.each(['', 'RSA ', 'OPENSSH ', 'EC '])('hides a private key block (%s)', (kind) => {
    expect(redact(`before\n${key(kind)}\nafter`, [])).toBe('before\n[redacted]\nafter');
  });

  it('hides a private key block that was cut off', () => {
    expect(redact(`x\n${key('').slice(0, 80)}`, [])).toBe('x\n[redacted]');
  });

  it.each([
    ['Authorization: Bearer abcdefgh12345678', 'Authorization: Bearer [redacted]'],
    ["curl -H 'authorization: basic dXNlcjpwYXNz'", "curl -H 'authorization: basic [redacted]'"],
    ['{"Authorization": "token abcdefgh12345678"}', '{"Authorization": "token [redacted]"}'],
    ['x-api-key: abcdefgh12345678', 'x-api-key: [redacted]'],
    ['https://user:hunter2@example.com/x', 'https://user:[redacted]@example.com/x'],
    ['postgres://app:p%40ss@db:5432/app', 'postgres://app:[redacted]@db:5432/app'],
    ['DB_PASSWORD=correcthorse', 'DB_PASSWORD=[redacted]'],
    ['export API_KEY="abcdefgh1234"', 'export API_KEY="[redacted]"'],
    ['{"client_secret": "abcdefgh1234"}', '{"client_secret": "[redacted]"}'],
    [
      join('https://hooks.slack', '.com/services/T00000000/B00000000/', body(24)),
      'https://hooks.slack.com/services/[redacted]',
    ],
  ])('hides the secret part of %s', (text, expected) => {
    expect(redact(text, [])).toBe(expected);
  });

  it.each([
    'commit 9fceb02d0ae598e95dc970b74767f19372d61af8',
    'sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
    'id 123e4567-e89b-12d3-a456-426614174000',
    'const token = parseToken(input);',
    'const JWT_SECRET = process.env.JWT_SECRET;',
    'SECRET_KEY=os.environ["SECRET_KEY"]',
    'API_TOKEN=$' + '{{ secrets.API_TOKEN }}',
    'MAX_TOKENS=100000000',
    'function password(value: string): string {',
    '"password": "Enter your password"',
    '.sk-fading-circle-container .sk-circle-before { width: 100% }',
    'http://localhost:3000/path@2x.png',
    'git@github.com:owner/repo.git',
    'npm_package_version npm_config_registry',
    'the bearer of bad news',
    'src/parser.ts:10-42 handles `Authorization: Bearer <token>`',
    'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJ',
    '-----BEGIN CERTIFICATE-----',
    '-----BEGIN PUBLIC KEY-----',
  ])('leaves %s alone', (text) => {
    expect(redact(text, [])).toBe(text);
  });

  it('hides given values wherever they occur, also as JSON and in a URL', () => {
    expect(redact('a s3cr"t b s3cr\\"t c s3cr%22t', ['s3cr"t'])).toBe(
      'a [redacted] b [redacted] c [redacted]',
    );
  });

  it('hides the longer of two values that overlap', () => {
    expect(redact('x abcdefgh-long y', ['abcdefgh', 'abcdefgh-long'])).toBe('x [redacted] y');
    expect(redact('abcdefgh', ['abcdef', 'defgh'])).toBe('[redacted]');
  });

  it('takes no notice of values too short to be secrets', () => {
    expect(redact('a b  c', ['', ' ', 'a', '   '])).toBe('a b  c');
  });

  it('leaves no given value behind, and redacting twice changes nothing more', () => {
    fc.assert(
      fc.property(
        fc.string({ minLength: 8, maxLength: 20 }),
        fc.string(),
        fc.string(),
        (secret, before, after) => {
          fc.pre(secret.trim().length >= 8 && !'[redacted]'.includes(secret));
          const once = redact(before + secret + after, [secret]);
          expect(once).not.toContain(secret);
          expect(redact(once, [secret])).toBe(once);
        },
      ),
      { numRuns: 200 },
    );
  });
});

describe('secretsFromEnv', () => {
  it.each([
    'GITHUB_TOKEN',
    'OPENAI_API_KEY',
    'DB_PASSWORD',
    'AWS_SECRET_ACCESS_KEY',
    'npm_config__authToken',
    'SIGNING_KEY',
    'PGPASSWORD',
    'SESSION_SECRET',
    'MYSQL_PWD',
  ])('takes the value of %s', (name) => {
    expect(secretsFromEnv({ [name]: 'value-of-it-1' })).toEqual(['value-of-it-1']);
  });

  it.each([
    ['PATH', '/usr/bin:/bin'],
    ['PWD', '/home/someone/project'],
    ['GIT_AUTHOR_NAME', 'Some Person'],
    ['SSH_AUTH_SOCK', '/run/user/1000/ssh'],
    ['TOKEN_FILE', '/run/secrets/token'],
    ['MAX_OUTPUT_TOKENS', '100000000'],
    ['KEYBOARD_LAYOUT', 'us-international'],
    ['SHORT_TOKEN', 'abc1234'],
    ['AUTH_TYPE', 'password-based'],
    ['API_TOKEN', 'undefined'],
  ])('leaves %s=%s out', (name, value) => {
    expect(secretsFromEnv({ [name]: value })).toEqual([]);
  });

  it('names each value once and skips what is not set', () => {
    expect(secretsFromEnv({ A_TOKEN: 'same-value', B_TOKEN: ' same-value ', C_TOKEN: undefined })).toEqual([
      'same-value',
    ]);
  });
});
