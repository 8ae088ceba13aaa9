import { describe, expect, it } from 'vitest';
import { EMPTY_TASK_STATE } from '../../../src/domain/records/state.ts';
import { incidentReport } from '../../../src/respond/intervene/index.ts';
import { EMPTY_OBSERVED } from '../../helpers/observed.ts';
import { NO_ACTIONS } from '../../helpers/reviewing.ts';
import { changeSet, REPORT } from '../findings/facts.ts';
import { action, attemptBefore, finding, incidentInput, intervention } from './incident-facts.ts';

// Put together here, so that no scanner takes the examples for real ones.
const body = (length: number): string => 'aB3dE5gH7jK9mN1pQ2rS4tU6vW8xY0z'.repeat(4).slice(0, length);
const join = (...parts: string[]): string => parts.join('');

/** Tokens that are recognised by their form. */
const TOKENS: [kind: string, token: string][] = [
  ['AWS', join('AKIA', 'IOSFODNN7EXAMPLE')],
  ['GitHub classic', join('ghp', '_', body(36))],
  ['GitHub fine-grained', join('github', '_pat_', body(22), '_', body(59))],
  ['GitLab', join('glpat', '-', body(20))],
  ['Slack', join('xoxb', '-123456789012-', body(24))],
  ['Stripe', join('sk', '_live_', body(24))],
  ['OpenAI', join('sk', '-proj-', body(20), '-', body(30))],
  ['Anthropic', join('sk', '-ant-api03-', body(40), '_', body(20))],
  ['Google API', join('AIza', body(35))],
  ['npm', join('npm', '_', body(36))],
  ['JWT', join('eyJ', 'hbGciOiJIUzI1NiJ9', '.eyJ', 'zdWIiOiIxMjM0NTY3ODkwIn0', '.', body(43))],
  ['private key', `-----BEGIN RSA PRIVATE KEY-----\n${body(64)}\n${body(40)}\n-----END RSA PRIVATE KEY-----`],
  ['URL password', join('postgres://app:', 'hunter2xyz', '@db.example.com/app')],
];
/** Secret values of environment variables, in forms that nothing recognises. */
const GIVEN: [kind: string, value: string][] = [
  ['words', 'correct horse battery'],
  ['letters', 'zebracrossing'],
  ['signs', 'p%"s/w\\d+?>x'],
  ['beyond ASCII', 'schlüssel-größe'],
];

/** What must not be found: of a key its body, of a URL its password. */
function inner(secret: string): string {
  if (secret.includes('PRIVATE KEY')) return body(64);
  return secret.includes('hunter2xyz') ? 'hunter2xyz' : secret;
}

/** The same facts with a text in every place that an agent, a tool or the user can fill. */
function reportWith(text: string, secrets: readonly string[]): string {
  const observed = {
    ...EMPTY_OBSERVED,
    actions: [
      action(`Bash curl ${text}`),
      action('Bash it', { paths: [`src/${text}/x.ts`, text], ok: false }),
      action(`Write ${text}`, { kind: 'file_write', tool: text }),
    ],
    errors: [{ tool: 'Bash', error: text, line: text, path: null, count: 3 }],
    results: [{ command: `echo ${text}`, ok: true, tail: text }],
    corrections: [{ issue: text, text, atMs: 5 }],
  };
  const details = { text, list: [text, ['--header', text]], [text]: { deep: { [`k ${text}`]: [text] } } };
  const report = incidentReport(
    incidentInput({
      secrets,
      facts: {
        agent: `claude ${text}`,
        task: { ...incidentInput().facts.task, title: text, description: text },
        report: { ...REPORT, finalMessage: text, errors: [text] },
        end: { kind: 'halted', why: 'denied_action', message: text },
        changes: changeSet(`src/${text}`),
        tampering: [{ kind: 'own', path: `.ralph/${text}`, change: 'created' }],
        credentials: [{ path: `src/${text}`, line: 1, kind: text, commit: null }],
        observed,
        review: {
          ...NO_ACTIONS,
          ...{ mode: 'detect', why: text, proven: false, denied: 1 },
          blocked: [{ tool: 'Bash', action: text, rule: 'r', reason: text, severity: 'high' }],
        },
        taskState: {
          ...EMPTY_TASK_STATE,
          attempts: [attemptBefore({ cause: text, agent: text })],
          interventions: [intervention({ also: [text] })],
        },
      },
      decisions: { cause: text, findings: [finding({ summary: text, details })] },
      stop: {
        ...incidentInput().stop,
        why: text,
        plan: { type: 'emergency_stop', reason: text, scope: 'run' },
      },
    }),
  );
  return JSON.stringify(report, null, 2);
}

/** How a text may come out of an agent: as it is, in JSON, in JSON within JSON, and in a URL. */
const FORMS: [form: string, spell: (text: string) => string][] = [
  ['as it is', (text) => text],
  ['in JSON', (text) => JSON.stringify({ text })],
  ['in a URL', (text) => `https://example.com/?q=${encodeURIComponent(text)}`],
];
const BASE64: [form: string, spell: (text: string) => string] = [
  'in base64',
  (text) => Buffer.from(`user:${text}`).toString('base64'),
];

/** Returns all texts that would give a secret away in the file. */
function traces(secret: string): string[] {
  const plain = inner(secret);
  return [
    plain,
    JSON.stringify(plain).slice(1, -1),
    encodeURIComponent(plain),
    JSON.stringify(JSON.stringify(plain)).slice(3, -3),
  ];
}

function expectNoTrace(report: string, secret: string): void {
  for (const trace of traces(secret)) expect(report).not.toContain(trace);
}

/** The forms in which these cannot be told: nothing stands around them any more. */
const untold = (kind: string, form: string) =>
  form === 'in a URL' && (kind === 'private key' || kind === 'URL password');

describe('secrets in an incident report', () => {
  const tokens = TOKENS.flatMap(([kind, token]) =>
    FORMS.filter(([form]) => !untold(kind, form)).map(
      ([form, spell]) => [kind, form, token, spell(token)] as const,
    ),
  );

  it.each(tokens)('a token of %s, %s, is in no place of it', (_kind, _form, token, text) => {
    expectNoTrace(reportWith(text, []), token);
  });

  // The same places with a text of the same characters that isn't a token: it gets there.
  it.each(tokens.filter(([, form]) => form === 'as it is'))(
    "what isn't a token of %s stays, %s",
    (_kind, _form, token) => {
      const harmless = token
        .split('')
        .toReversed()
        .join('')
        .replaceAll(/[^A-Za-z0-9]/g, '');
      expect(reportWith(harmless, []).split(harmless).length).toBeGreaterThan(20);
    },
  );

  const given = GIVEN.flatMap(([kind, value]) =>
    [...FORMS, BASE64].map(([form, spell]) => [kind, form, value, spell(value)] as const),
  );

  it.each(given)('a given value (%s), %s, is in no place of it', (_kind, form, value, text) => {
    const report = reportWith(
      text,
      GIVEN.map(([, one]) => one),
    );
    expectNoTrace(report, value);
    if (form === 'in base64') {
      for (const word of report.match(/[A-Za-z0-9+/=]{8,}/g) ?? []) {
        expect(Buffer.from(word, 'base64').toString()).not.toContain(value.slice(0, 6));
      }
    }
  });

  it.each(given)('a given value (%s), %s, is seen when it is not given', (_kind, _form, _value, text) => {
    const shown = JSON.stringify(text).slice(1, -1);
    expect(reportWith(text, [])).toContain(shown.slice(0, 30));
  });

  it.each([
    ['an option', 'deploy --token q1w2e3', 'q1w2e3'],
    ['a header', 'curl -H "Authorization: Bearer q1w2e3r4t5"', 'q1w2e3r4t5'],
    ['a variable', 'env deploy_password=q1w2e3 make', 'q1w2e3'],
    ['a member', '{"apiKey": "q1w2e3"}', 'q1w2e3'],
  ])('a value that %s names is in no place of it', (_what, text, secret) => {
    expect(reportWith(text, [])).not.toContain(secret);
    expect(reportWith(secret, [])).toContain(secret);
  });
});
