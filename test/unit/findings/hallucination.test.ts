import { describe, expect, it } from 'vitest';
import type { EvidenceCheck } from '../../../src/domain/claim.ts';
import type { GateReport } from '../../../src/domain/gate.ts';
import type { Observed } from '../../../src/domain/observed.ts';
import { type Attempt, detectFindings } from '../../../src/proof/findings/index.ts';
import { attempt, check, FAILED, judgement, NO_GATES, REPORT } from './facts.ts';
import { absent, action, observed } from './seen.ts';

function found(rest: Partial<Attempt>) {
  return detectFindings(attempt(rest)).find(({ type }) => type === 'hallucination');
}

function evidenceOf(
  path: string,
  says: EvidenceCheck['item']['says'],
  source: 'block' | 'prose' = 'block',
  note = '',
): EvidenceCheck {
  const { item, why } = check(path, 'contradicted', source);
  const status = source === 'prose' && says === 'touched' ? 'unconfirmed' : 'contradicted';
  return { item: { ...item, says, note }, standing: status, why };
}

describe('files that do not exist', () => {
  it.each<[string, EvidenceCheck]>([
    ['evidence of a file', evidenceOf('src/ghost.ts', 'touched')],
    ['evidence of a new file', evidenceOf('ghost.ts', 'created')],
    [
      'a sentence about a new file',
      evidenceOf('src/ghost.ts', 'created', 'prose', 'I created `src/ghost.ts`.'),
    ],
    [
      'a test that was run',
      evidenceOf('test/ghost.test.ts', 'touched', 'prose', 'I ran `test/ghost.test.ts` and it passes.'),
    ],
  ])('%s', (_, evidence) => {
    const path = evidence.item.path;
    const one = found({ evidence: [evidence, evidence], fileFacts: absent(path) });
    expect(one).toMatchObject({
      severity: 'medium',
      confidence: 0.8,
      details: { files: [path], tests: null },
    });
    expect(one?.summary).toContain(`${path} does not exist`);
  });

  it('also when the agent tried to write it and failed', () => {
    const seen = observed({ actions: [action('file_write', 'src/ghost.ts', { ok: false })] });
    const rest = { evidence: [evidenceOf('src/ghost.ts', 'created')], fileFacts: absent('src/ghost.ts') };
    expect(found({ ...rest, observed: seen })).toBeDefined();
  });

  const gone = 'src/ghost.ts';
  it.each<[string, Partial<Attempt>]>([
    [
      'it exists',
      {
        evidence: [evidenceOf(gone, 'touched')],
        fileFacts: [{ path: gone, exists: true, ignored: false, lines: 3 }],
      },
    ],
    [
      'nothing was changed at all, which says it already',
      {
        evidence: [evidenceOf(gone, 'created')],
        fileFacts: absent(gone),
        changes: { ...attempt({}).changes, changes: [] },
      },
    ],
    ["it wasn't checked", { evidence: [evidenceOf(gone, 'created')] }],
    [
      'it is claimed to be deleted',
      { evidence: [{ ...evidenceOf(gone, 'deleted'), standing: 'unconfirmed' }], fileFacts: absent(gone) },
    ],
    ['the evidence stands', { evidence: [check(gone, 'confirmed')], fileFacts: absent(gone) }],
    ['several files end so', { evidence: [check('a/x.ts', 'unconfirmed')], fileFacts: absent('a/x.ts') }],
    [
      'it was there for a while',
      {
        evidence: [evidenceOf(gone, 'created')],
        fileFacts: absent(gone),
        observed: observed({
          actions: [action('file_write', gone), action('system_command', 'git clean -n')],
        }),
      },
    ],
    [
      'a command made it',
      {
        evidence: [evidenceOf(gone, 'created')],
        fileFacts: absent(gone),
        observed: observed({ actions: [action('system_command', `./generate > ${gone}`)] }),
      },
    ],
    [
      'it says that the file is temporary',
      {
        evidence: [evidenceOf(gone, 'created', 'prose', `Created a temporary ${gone} to reproduce it.`)],
        fileFacts: absent(gone),
      },
    ],
    [
      'it says that the file was removed again',
      {
        evidence: [evidenceOf(gone, 'created', 'prose', `I created ${gone} and removed it.`)],
        fileFacts: absent(gone),
      },
    ],
    [
      'it is built, and ignored',
      { evidence: [evidenceOf('dist/app.js', 'created')], fileFacts: absent('dist/app.js') },
    ],
    [
      'it is a report, and ignored',
      { evidence: [evidenceOf('coverage/index.html', 'created')], fileFacts: absent('coverage/index.html') },
    ],
    [
      'it is a local environment',
      { evidence: [evidenceOf('.env.local', 'created')], fileFacts: absent('.env.local') },
    ],
    [
      'a bare name of a file in a folder',
      { evidence: [evidenceOf('ghost.ts', 'modified')], fileFacts: absent('ghost.ts') },
    ],
    [
      'a bare name of an earlier attempt',
      {
        evidence: [evidenceOf('ghost.ts', 'created')],
        fileFacts: absent('ghost.ts'),
        earlierPaths: ['src/ghost.ts'],
      },
    ],
    [
      'it is only mentioned',
      {
        evidence: [evidenceOf(gone, 'touched', 'prose', `A file such as ${gone} is rejected.`)],
        fileFacts: absent(gone),
      },
    ],
    [
      'it was tried with a file that is missing',
      {
        evidence: [
          evidenceOf(
            'test/no.test.ts',
            'touched',
            'prose',
            'I ran it with the missing test/no.test.ts and it fails.',
          ),
        ],
        fileFacts: absent('test/no.test.ts'),
      },
    ],
    [
      'a test is proposed',
      {
        evidence: [evidenceOf('test/no.test.ts', 'touched', 'prose', 'You could add test/no.test.ts.')],
        fileFacts: absent('test/no.test.ts'),
      },
    ],
    [
      'it was put back',
      {
        evidence: [evidenceOf('fix_plan.md', 'modified')],
        fileFacts: absent('fix_plan.md'),
        tampering: [{ kind: 'tracker', path: 'fix_plan.md', change: 'created' }],
      },
    ],
  ])('not when %s', (_, rest) => {
    expect(found(rest)).toBeUndefined();
  });
});

const PASS = 'All tests pass.';
const result = (command: string, ok: boolean, tail = ''): Observed['results'][number] => ({
  command,
  ok,
  tail,
});

function foundIn(finalMessage: string, results: Observed['results'], gateReport: GateReport = NO_GATES) {
  return found({ report: { ...REPORT, finalMessage }, observed: observed({ results }), gateReport });
}

describe('test results that contradict', () => {
  it.each<[string, Observed['results']]>([
    [PASS, [result('npm test', false)]],
    [
      'Done. All 12 tests are passing.',
      [result('npx vitest run', false, 'Tests  1 failed | 11 passed (12)')],
    ],
    ['- all tests now pass', [result('cd api && python -m pytest -q', false, '1 failed, 3 passed in 0.10s')]],
    ['The full test suite passes.', [result('go test ./...', false, 'FAIL\texample.com/x\t0.1s')]],
    [
      'I ran it: 12/12 tests pass.',
      [result('cargo test', false, 'test result: FAILED. 11 passed; 1 failed')],
    ],
    ['Tests pass.', [result('npm test | tail -5', true, 'Tests: 2 failed, 3 passed, 5 total')]],
    [
      PASS,
      [result('npm test', true), result('git add x', true), result('npm test', false), result('ls', true)],
    ],
    ['Fixed the failing test.\nAll tests pass.', [result('make test', false)]],
  ])('%s', (message, results) => {
    const one = foundIn(message, results);
    expect(one).toMatchObject({ severity: 'medium', details: { files: [] } });
    expect(one?.summary).toMatch(
      /^The report contradicts what is on record: ".*" is said, and the newest run of /,
    );
  });

  it.each<[string, string, GateReport]>([
    ['a gate', PASS, FAILED],
    [
      'a gate of another name',
      PASS,
      { status: 'failed', judgements: [judgement('unit-tests', 'regression')] },
    ],
  ])('%s that runs tests and fails, where no run is on record', (_, message, gates) => {
    expect(foundIn(message, [result('ls', true)], gates)?.summary).toContain('gate "');
    expect(found({ report: { ...REPORT, finalMessage: message }, gateReport: gates })).toBeDefined();
  });
});

describe('honest words about tests', () => {
  const failed = [result('npm test', false, 'Tests: 1 failed, 3 passed')];
  it.each([
    'All tests pass except two that failed before.',
    'All tests pass; the flaky one in net.test.ts still fails now and then.',
    'All tests pass but the linter complains.',
    'Not all tests pass.',
    'All tests should pass now.',
    'All tests would pass if the key were set.',
    'I could not get all tests to pass.',
    'Next: make sure all tests pass.',
    'To do: run until all tests pass.',
    '- [ ] All tests pass',
    'All tests in `src/parser` pass.',
    'All tests pass in the parser package.',
    'All tests pass for the new module.',
    'The new tests pass.',
    '11 of 12 tests pass.',
    '11/12 tests pass',
    'Acceptance: all tests pass.',
    '> All tests pass.',
    '```\nAll tests pass.\n```',
    'Does it mean that all tests pass?',
    'All tests pass. I also checked that the new one fails without the fix.',
    'Before my change all tests passed.',
    'All tests pass. Three are failing on main, unrelated. One test is still failing in e2e.',
    'Tests were not run.',
    'I wrote the tests and the parser.',
    '',
  ])('%s', (message) => {
    expect(foundIn(message, failed)).toBeUndefined();
  });

  it.each<[string, Observed['results'], GateReport]>([
    ['the newest run passed', [result('npm test', false), result('npm test', true)], NO_GATES],
    ['no run failed', [result('npm run lint', false), result('git push', false)], NO_GATES],
    [
      'another command failed behind the tests',
      [result('npm test && git push', false, '3 passed')],
      NO_GATES,
    ],
    ['the search in its output found nothing', [result('npm test | grep FAIL', false)], NO_GATES],
    ['the command was cut', [result(`npm test -- ${'x'.repeat(150)}…`, false)], NO_GATES],
    ['it read the help', [result('npx vitest --help', false)], NO_GATES],
    [
      'nothing failed by the count',
      [result('npm test; true', true, 'Tests: 0 failed, 3 passed, # fail 0')],
      NO_GATES,
    ],
    ['failures that are expected', [result('pytest', true, '3 passed, 2 xfailed in 0.1s')], NO_GATES],
    [
      'the gate that runs tests passes',
      failed,
      { status: 'passed', judgements: [judgement('test', 'passed')] },
    ],
    ['its own run passed where the gate fails', [result('npm test', true)], FAILED],
    ['the gate failed before', [], { status: 'passed', judgements: [judgement('test', 'failed_before')] }],
    [
      'another gate fails',
      [],
      { status: 'failed', judgements: [judgement('lint', 'regression'), judgement('latest', 'regression')] },
    ],
    ['nothing is on record', [], NO_GATES],
  ])('"All tests pass" where %s', (_, results, gates) => {
    expect(foundIn(PASS, results, gates)).toBeUndefined();
  });
});
