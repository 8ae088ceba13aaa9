import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Ajv } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { iterationRecord } from '../../../src/decide/finished-record.ts';
import type { IterationRecord } from '../../../src/domain/records/iteration.ts';
import { EMPTY_STATE } from '../../../src/domain/records/state.ts';
import { foldRecords, viewDocuments } from '../../../src/state/index.ts';
import { temporaryFolder } from '../../helpers/repository.ts';
import { recordedRun } from '../../unit/replay/recorded-run.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const fresh = temporaryFolder();

function contents(folder: string): Record<string, string> {
  const names = readdirSync(folder).sort();
  return Object.fromEntries(names.map((name) => [name, readFileSync(join(folder, name), 'utf8')]));
}

const shipped = contents(join(root, 'schemas'));

it('keeps schemas/ up to date with the zod schemas (else: npm run schemas)', () => {
  const made = spawnSync(process.execPath, ['scripts/schemas.mjs', fresh], { cwd: root, encoding: 'utf8' });
  expect(made.stderr).toBe('');
  expect(made.status).toBe(0);
  const expected = contents(fresh);
  expect(Object.keys(shipped)).toEqual(Object.keys(expected));
  const stale = Object.keys(expected).filter((name) => shipped[name] !== expected[name]);
  expect(stale).toEqual([]);
});

it('ships at most 0.4 MB of them', () => {
  expect(Object.values(shipped).join('').length).toBeLessThan(400_000);
});

const validators = new Map<string, (value: unknown) => string | null>();

/** What a file says against a document; `null`: it accepts it. */
function problemsOf(name: string) {
  const known = validators.get(name);
  if (known !== undefined) return known;
  const options = { strict: false, validateFormats: false };
  const schema = JSON.parse(shipped[name] ?? '') as { readonly $schema: string };
  const ajv = schema.$schema.includes('draft-07') ? new Ajv(options) : new Ajv2020(options);
  const validate = ajv.compile(schema);
  const problems = (value: unknown) => (validate(value) ? null : ajv.errorsText(validate.errors));
  validators.set(name, problems);
  return problems;
}

it.each(Object.keys(shipped))('%s is a whole schema, which refuses a text', (name) => {
  expect(problemsOf(name)('a text')).not.toBeNull();
});

const recorded = recordedRun();
const valueIn = (found: { readonly kind: string } | undefined) =>
  (found as { readonly value?: unknown } | undefined)?.value;
const state = foldRecords(EMPTY_STATE, recorded.journal);
const views = viewDocuments(state, {
  maxEvents: 9,
  feedbackRotationDays: 9,
  now: '2026-01-01T00:00:00.000Z',
});
const view = (path: string): unknown => JSON.parse(views.find((one) => one.path === path)?.content ?? 'null');

const decided = valueIn(recorded.iterations[1]?.record) as IterationRecord;
const DOCUMENTS: readonly (readonly [string, unknown])[] = [
  ['iteration.v1.schema.json', iterationRecord(decided.facts, decided.decisions)],
  ['run.v1.schema.json', valueIn(recorded.record)],
  ['inputs.v1.schema.json', valueIn([...recorded.inputs.values()][0])],
  ['tasks.v1.schema.json', valueIn([...recorded.lists.values()][0])],
  ['state.v1.schema.json', view('state.json')],
  ['metrics.v1.schema.json', view('metrics.json')],
  ['events.v1.schema.json', view('interventions/events.json')],
  ['profile.v2.schema.json', view('interventions/profile.json')],
  ['lessons.v1.schema.json', view('lessons.json')],
  ['scenario.v1.schema.json', JSON.parse(readFileSync(join(root, '.ralph.example/scenario.json'), 'utf8'))],
  ...recorded.journal.map((record) => ['journal-line.v1.schema.json', { ...record, mac: 'k:1' }] as const),
];

type Wrong = { readonly at: string; readonly copy: unknown };

/** Copies of a document, each with a list of lists in the place of one value. */
function wrongCopies(value: unknown, at = ''): Wrong[] {
  if (value === null) return [];
  if (typeof value !== 'object') return [{ at, copy: [[]] }];
  return Object.entries(value).flatMap(([key, part]) =>
    wrongCopies(part, Array.isArray(value) ? at : `${at}.${key}`).map((wrong) => ({
      at: wrong.at,
      copy: Array.isArray(value) ? value.with(Number(key), wrong.copy) : { ...value, [key]: wrong.copy },
    })),
  );
}

/** What no schema says anything of: details of findings, and a part of the metrics. */
const FREE = /\.details\.|^\.human_gates\./;

describe.each(DOCUMENTS)('%s, %#', (name, document) => {
  const problems = problemsOf(name);

  it('accepts what ralph writes', () => {
    expect(document).not.toBeNull();
    expect(problems(document)).toBeNull();
  });

  it('refuses it with a list of lists in the place of a value', () => {
    const wrong = wrongCopies(document).filter(({ at }) => !FREE.test(at));
    expect(wrong.length).toBeGreaterThan(0);
    expect(wrong.flatMap(({ at, copy }) => (problems(copy) === null ? [at] : []))).toEqual([]);
  });
});

it.each([
  ['iteration.v1.schema.json', {}],
  ['config.schema.json', { loop: { agnet: 'claude' } }],
  ['config.schema.json', { loop: { max_attempts_per_task: 'three' } }],
  ['config.schema.json', { gates: { commands: [{ name: 3 }] } }],
  ['plan.v1.schema.json', { tasks: [{ title: 3 }] }],
  ['receipt.v1.schema.json', { payloadType: 'application/json' }],
  ['recovery.v1.schema.json', { attempts: 3 }],
  ['review.v1.schema.json', { action: null }],
  ['profile.v1.schema.json', { total_iterations: 'many' }],
  ['journal-line.v1.schema.json', { seq: 1, at: '', mac: '', type: 'no_such_type' }],
])('%s refuses %o', (name, document) => {
  expect(problemsOf(name)(document)).not.toBeNull();
});

it('accepts a configuration', () => {
  expect(problemsOf('config.schema.json')({ loop: { agent: 'claude' } })).toBeNull();
});
