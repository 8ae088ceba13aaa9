import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Finding } from '../../../src/domain/findings/finding.ts';
import { FINDING_TYPES } from '../../../src/domain/findings/index.ts';
import {
  CORRECTION_VARIABLES,
  decideInterventions,
  streamCorrection,
} from '../../../src/respond/intervene/index.ts';
import { changeSet } from '../findings/facts.ts';
import { finding, given, TASK } from './inputs.ts';

/** The soft correction for a finding, whatever its ladder says. */
function soft(found: Finding, more: Parameters<typeof given>[0] = {}): string {
  const handled = [
    {
      issue: found.type,
      call: 'intervene',
      answer: { intervention: 'soft_correction' },
      failure: null,
    } as const,
  ];
  const plan = decideInterventions(given({ findings: [found], handled, ...more })).interventions[0]?.plan;
  if (plan?.type !== 'soft_correction') throw new Error('no soft correction');
  return plan.text;
}

/** Issues that the feedback on the attempt names already. */
const IN_FEEDBACK = [
  'no_files',
  'false_completion',
  'evidence_missing',
  'gate_regression',
  'avoidance',
  'state_tampering',
  'action_denied',
];
const CORRECTED = FINDING_TYPES.filter((type) => !IN_FEEDBACK.includes(type));

describe('the built-in soft correction', () => {
  it.each(IN_FEEDBACK)('%s says nothing twice', (issue) => {
    expect(soft(finding(issue))).toBe('');
  });

  it.each([...CORRECTED, 'issue of the user'])(
    '%s says what is wrong, what to do, and what was asked for',
    (issue) => {
      const text = soft(finding(issue));
      expect(text).toMatch(/^\*\*CORRECTION\*\* \(iteration 1\): \S/);
      expect(text).toMatch(/\n- \S/);
      expect(text).toContain('You were asked for: `Parse quoted fields: As in RFC 4180.`');
      expect(text).toContain('Expected paths: `src/parser/**`');
    },
  );

  it('says something else about each issue', () => {
    const texts = CORRECTED.map((issue) => soft(finding(issue)).split('\n\n')[1]);
    expect(new Set(texts).size).toBe(CORRECTED.length);
  });

  it.each([
    ['repetitive_errors', { error: 'ENOENT: no such file' }, '`ENOENT: no such file`'],
    [
      'repetitive_errors',
      {
        errors: [
          { tool: 'Read', error: '<path>: EACCES', line: 'src/a.ts: EACCES', path: 'src/a.ts', count: 3 },
        ],
      },
      'the same error: `src/a.ts: EACCES` (at `src/a.ts`).',
    ],
    [
      'repetitive_errors',
      { errors: [], gates: [{ gate: 'test', attempts: 2, line: 'expected 1', path: 'test/a.test.ts:3' }] },
      'the same error: `expected 1` (at `test/a.test.ts:3`).',
    ],
    ['repetitive_errors', { path: 'src/a.ts' }, 'Check first that `src/a.ts` exists'],
    ['repetitive_errors', { errors: [], gates: [{ gate: 'lint', attempts: 2 }] }, '`lint`'],
    ['scope_creep', { outside: ['docs/x.md', 'y'] }, 'does not need: `docs/x.md`, `y`.'],
    ['scope_creep', { outside: [], files: ['src/a.ts', 'src/b.ts'] }, 'need: `src/a.ts`, `src/b.ts`.'],
    ['hallucination', { files: ['src/none.ts'], tests: null }, 'about `src/none.ts`'],
  ])('%s fills in the facts of %j', (issue, details, words) => {
    expect(soft(finding(issue, { details }))).toContain(words);
  });

  it('says how much was used where resources grow', () => {
    const resources = { fileOperations: 40, memoryMb: 900, tokens: 20_000, durationMs: 60_000 };
    const text = soft(finding('resource_spiral', { details: { resources } }));
    const used = '40 file operations, 20,000 tokens, 900 MiB of memory, 1 min';
    expect(text).toContain(`grows fast: ${used} in this attempt.`);
  });

  it.each([{ path: 7 }, { paths: [] }, { paths: [null] }, { files: [{}] }, { error: ' ' }, { errors: {} }])(
    'stands without the facts that %j does not hold',
    (details) => {
      expect(soft(finding('repetitive_errors', { details }))).toContain('into the same error.');
    },
  );

  it('shows the progress', () => {
    const text = soft(finding('goal_drift'), {
      task: { ...TASK, ticked: [0, 2] },
      changes: changeSet(...Array.from({ length: 10 }, (_, n) => `f${n}`)),
      doneTitles: ['Read files'],
    });
    expect(text).toContain('`f7` and 2 more');
    expect(text).toContain('ticked: 2 of 5');
    expect(text).toContain('Tasks done before: `Read files`');
  });

  it('names the paths that the detector went by where the task names none', () => {
    const details = { outside: ['docs/x.md'], expected: ['src/a.ts'] };
    const text = soft(finding('scope_creep', { details }), { task: { ...TASK, expectedPaths: null } });
    expect(text).toContain('Keep your changes within: `src/a.ts`.');
  });

  it('says nothing of progress or paths where there are none', () => {
    const text = soft(finding('goal_drift'), { task: { ...TASK, expectedPaths: null } });
    expect(text).not.toMatch(/Progress|Expected paths/);
  });
});

describe('a template of the user', () => {
  const own = (template: string, found: Finding = finding('no_files')) =>
    soft(found, { texts: { no_files: template }, iteration: 4 });

  it.each([
    ['{issue}', 'no_files'],
    ['{summary}', '`There is no_files`'],
    ['{task_id}', 'E1-02'],
    ['{task_title}', '`Parse quoted fields`'],
    ['{request}', '`Parse quoted fields: As in RFC 4180.`'],
    ['{expected_paths}', '`src/parser/**`'],
    ['{path}', ''],
    ['{error}', ''],
    ['{paths}', ''],
    ['{progress}', ''],
    ['{iteration}', '4'],
    ['{unknown} {} {toString} { issue }', '{unknown} {} {toString} { issue }'],
    ['{issue} and {issue}', 'no_files and no_files'],
  ])('%s becomes %j', (template, expected) => {
    expect(own(`x ${template}`)).toBe(`x ${expected}`);
  });

  it('is for its issue alone, and an empty one counts as none', () => {
    expect(own('mine', finding('goal_drift'))).not.toContain('mine');
    expect(own(' \n')).toBe('');
  });

  it('is not filled twice', () => {
    expect(own('{summary}', finding('no_files', { summary: '{task_id}' }))).toBe('`{task_id}`');
  });

  it.each(Object.keys(CORRECTION_VARIABLES))('may use {%s}, which the documentation explains', (name) => {
    const docs = readFileSync(new URL('../../../docs/PROMPT_ANATOMY.md', import.meta.url), 'utf8');
    expect(docs).toContain(`| \`{${name}}\` |`);
    expect(own(`{${name}}`)).not.toContain(name === 'issue' ? '{' : name);
  });
});

it('the text for a running agent is short and to the point', () => {
  const text = streamCorrection(finding('repetitive_errors', { details: { error: 'ENOENT' } }), TASK);
  expect(text).toContain('`ENOENT`');
  expect(text).toContain('Your task: `Parse quoted fields`.');
  expect(text).not.toContain('\n');
});

describe('what comes from outside', () => {
  const nasty = fc
    .array(fc.constantFrom('`', '``', '```', '\n', '\r\n', '# x', '**', '~~~', ' ', 'a', '$&', '{path}'), {
      minLength: 1,
      maxLength: 12,
    })
    .map((parts) => `z${parts.join('')}z`);

  it('stays on its line, within inline code, and opens no fence', () => {
    fc.assert(
      fc.property(nasty, nasty, nasty, fc.constantFrom(...CORRECTED), (path, error, title, issue) => {
        const found = finding(issue, { summary: error, details: { path, error } });
        const text = soft(found, {
          task: { ...TASK, title, expectedPaths: [path] },
          changes: changeSet(path),
          doneTitles: [title],
        });
        const lines = text.split('\n');
        expect(lines.filter((line) => /^\s{0,3}(?:#|~~~|```)/.test(line))).toEqual([]);
        // Outside of inline code, nothing is left of the texts that were filled in.
        const bare = text.replace(/(?<!`)(`+)(?!`)[^\n]*?(?<!`)\1(?!`)/g, '');
        expect(bare).not.toContain('z');
      }),
    );
  });

  it('is cut where it is long', () => {
    const text = soft(finding('repetitive_errors', { details: { error: 'e'.repeat(5000) } }));
    expect(text.length).toBeLessThan(1500);
  });
});
