import { describe, expect, test } from 'vitest';
import { ROLES, type Role } from '../../../src/domain/workflow/roles.ts';
import { ROLE_SIGNS, type RoleObservation, roleSigns, THRESHOLDS } from '../../../src/respond/roles/index.ts';
import { answer, finding, look, many, past, unnoticed, words } from './observations.ts';

type Row = {
  readonly role: Role;
  readonly sign: string;
  /** Observation just at the limit of the sign. */
  readonly fires: Partial<RoleObservation>;
  /** Observation just below the limit of the sign. */
  readonly below: Partial<RoleObservation>;
  /** Observation above the limit, but connected with the goal, so that the sign doesn't count. */
  readonly immune: Partial<RoleObservation>;
};

const block = (parts: object) => `The plan.\n\n\`\`\`json\n${JSON.stringify(parts)}\n\`\`\`\n`;
const reviewed = (...findings: ReturnType<typeof finding>[]) => ({ answer: answer(findings) });
const files = (times: number, name = (at: number) => `src/f${at}.ts`) =>
  many(times, (at) => ({ path: name(at), added: 100, removed: 0 }));
const distinct = [
  'the limit is off by one',
  'a closed socket leaks',
  'the parser drops comments',
  'retries hide an outage',
  'the cache never expires',
  'names collide across tenants',
  'dates ignore the zone',
  'a partial write corrupts the index',
  'sorting is unstable',
  'permissions widen on copy',
  'overflow truncates totals',
];
const several = (times: number, over: (at: number) => Partial<ReturnType<typeof finding>> = () => ({})) =>
  many(times, (at) => finding({ claim: distinct[at] ?? `claim ${at}`, ...over(at) }));

const pkg = (at: number) => `pkg/${at}/x.ts`;
const expecting = (times: number) => ({
  task: { text: '', expectedPaths: many(times, (at) => `e${at}.ts`) },
});

/** Just at shares and factors, which the small numbers of the rows below jump over. */
const FRACTIONS: readonly Row[] = [
  {
    role: 'explorer',
    sign: 'no_synthesis_at_the_end',
    fires: { text: `${words(149)} summary ${words(50)}` },
    below: { text: `${words(150)} summary ${words(49)}` },
    immune: { text: `I recommend the first way. ${words(300)}` },
  },
  {
    role: 'explorer',
    sign: 'files_without_pattern',
    fires: { reads: many(20, pkg), text: many(15, pkg).join(' ') },
    below: { reads: many(15, pkg), text: '' },
    immune: { reads: many(20, pkg), text: many(16, pkg).join(' ') },
  },
  {
    role: 'creator',
    sign: 'scope',
    fires: { text: block({ files: many(16, (at) => `e${at}.ts`) }), ...expecting(10) },
    below: { text: block({ files: many(15, (at) => `e${at}.ts`) }), ...expecting(10) },
    immune: {
      text: block({ files: many(16, (at) => (at < 10 ? `e${at}.ts` : `e${at}.test.ts`)) }),
      ...expecting(10),
    },
  },
  {
    role: 'guardian',
    sign: 'findings_without_fix',
    fires: reviewed(...several(9, (at) => ({ fix: at < 4 ? 'do it' : null }))),
    below: reviewed(...several(8, (at) => ({ fix: at < 4 ? 'do it' : null }))),
    immune: {
      answer: answer(
        several(9, (at) => ({ severity: 'INFO', fix: at < 4 ? 'x' : null })),
        'APPROVED',
      ),
    },
  },
  {
    role: 'skeptic',
    sign: 'without_alternatives',
    fires: reviewed(...several(9, (at) => ({ alternative: at < 4 ? 'x' : null, repro: null }))),
    below: reviewed(...several(8, (at) => ({ alternative: at < 4 ? 'x' : null, repro: null }))),
    immune: reviewed(...several(9, (at) => ({ alternative: at < 4 ? 'x' : null }))),
  },
  {
    role: 'skeptic',
    sign: 'same_concern_twice',
    fires: reviewed(
      finding({ claim: 'cache serve stale prices twice' }),
      finding({ claim: 'cache serve stale names often sorted' }),
    ),
    below: reviewed(
      finding({ claim: 'cache serve stale prices' }),
      finding({ claim: 'cache serve open names often' }),
    ),
    immune: reviewed(
      finding({ claim: 'cache serve stale prices twice', fix: 'expire' }),
      finding({ claim: 'cache serve stale names often sorted', file: 'src/b.ts', fix: 'drop it' }),
    ),
  },
  {
    role: 'sage',
    sign: 'wordy',
    fires: {
      ...reviewed(finding({ claim: words(120), repro: null, fix: null, alternative: null })),
      changed: [{ path: 'src/a.ts', added: 1, removed: 0 }],
    },
    below: {
      ...reviewed(finding({ claim: words(2), repro: null, fix: null, alternative: null })),
      changed: [{ path: 'src/a.ts', added: 1, removed: 0 }],
    },
    immune: {
      ...reviewed(finding({ claim: words(119), repro: null, fix: null, alternative: null })),
      changed: [{ path: 'src/a.ts', added: 1, removed: 0 }],
    },
  },
];

const ROWS: readonly Row[] = [
  ...FRACTIONS,
  {
    role: 'explorer',
    sign: 'long_without_recommendation',
    fires: { text: `${words(2000)} overall` },
    below: { text: `${words(1999)} overall` },
    immune: { text: `${words(2000)} I recommend this` },
  },
  {
    role: 'explorer',
    sign: 'tangents',
    fires: { text: many(4, () => 'By the way, this is odd.').join('\n') },
    below: { text: many(3, () => 'By the way, this is odd.').join('\n') },
    immune: {
      text: many(4, () => 'By the way, src/a.ts does it too.').join('\n'),
      task: { text: '', expectedPaths: ['src/a.ts'] },
    },
  },
  {
    role: 'explorer',
    sign: 'files_without_pattern',
    fires: { reads: many(16, (at) => `pkg/${at}/x.ts`), text: 'I recommend it.' },
    below: { reads: many(15, (at) => `pkg/${at}/x.ts`), text: 'I recommend it.' },
    immune: {
      reads: many(20, (at) => `pkg/${at}/x.ts`),
      text: many(20, (at) => `pkg/${at}/x.ts`).join(' '),
    },
  },
  {
    role: 'explorer',
    sign: 'no_synthesis_at_the_end',
    fires: { text: words(200) },
    below: { text: words(199) },
    immune: { text: `I recommend the first way. ${words(300)}` },
  },
  {
    role: 'creator',
    sign: 'new_abstractions',
    fires: { text: block({ new_abstractions: ['Alpha', 'Beta', 'Gamma'] }) },
    below: { text: block({ new_abstractions: ['Alpha', 'Beta'] }) },
    immune: {
      text: block({ new_abstractions: ['Store', 'Queue', 'Clock'] }),
      task: { text: 'Split it into Store, Queue and Clock', expectedPaths: [] },
    },
  },
  {
    role: 'creator',
    sign: 'future_proof',
    fires: { text: 'A registry makes it future-proof.' },
    below: { text: 'A registry makes it fast.' },
    immune: { text: 'No registry: it would only be future-proof.' },
  },
  {
    role: 'creator',
    sign: 'scope',
    fires: {
      text: block({ files: ['a.ts', 'b.ts', 'c.ts', 'd.ts'] }),
      task: { text: '', expectedPaths: ['a.ts', 'b.ts'] },
    },
    below: {
      text: block({ files: ['a.ts', 'b.ts', 'c.ts'] }),
      task: { text: '', expectedPaths: ['a.ts', 'b.ts'] },
    },
    immune: {
      text: block({ files: ['a.ts', 'b.ts', 'a.test.ts', 'b.test.ts'] }),
      task: { text: '', expectedPaths: ['a.ts', 'b.ts'] },
    },
  },
  {
    role: 'creator',
    sign: 'new_packages',
    fires: { text: 'First npm install left-pad, then npm install is-odd.' },
    below: { text: 'First npm install left-pad.' },
    immune: {
      text: block({ new_packages: ['zod', 'yaml'] }),
      task: { text: 'Validate with zod, read with yaml', expectedPaths: [] },
    },
  },
  {
    role: 'maker',
    sign: 'no_test_file',
    fires: { changed: files(3) },
    below: { changed: files(2) },
    immune: { changed: files(3, (at) => `docs/${at}.md`) },
  },
  {
    role: 'maker',
    sign: 'one_monolithic_commit',
    fires: { changed: files(8, (at) => `src/${at}/x.ts`), commits: 1 },
    below: { changed: files(7, (at) => `src/${at}/x.ts`), commits: 1 },
    immune: { changed: files(8), commits: 1 },
  },
  {
    role: 'maker',
    sign: 'outside_proposal',
    fires: { proposal: ['src/a.ts'], outside: ['src/b.ts'] },
    below: { proposal: ['src/a.ts'], outside: [] },
    immune: { proposal: ['src/a.ts'], outside: ['test/a.test.ts', 'package-lock.json'] },
  },
  {
    role: 'maker',
    sign: 'no_test_run',
    fires: { commands: ['ls', 'npm run build'] },
    below: { commands: ['ls', 'npx vitest run'] },
    immune: { commands: ['ls'], gatesPassed: true },
  },
  {
    role: 'guardian',
    sign: 'critical_to_warning',
    fires: reviewed(...several(3, (at) => ({ severity: at < 3 ? 'CRITICAL' : 'WARNING', repro: null }))),
    below: reviewed(...several(2, () => ({ severity: 'CRITICAL', repro: null }))),
    immune: reviewed(...several(3, () => ({ severity: 'CRITICAL' }))),
  },
  {
    role: 'guardian',
    sign: 'critical_to_warning',
    fires: reviewed(...several(4, (at) => ({ severity: at < 3 ? 'CRITICAL' : 'WARNING', repro: null }))),
    below: reviewed(...several(6, (at) => ({ severity: at < 4 ? 'CRITICAL' : 'WARNING', repro: null }))),
    immune: reviewed(...several(4, (at) => ({ severity: at < 3 ? 'CRITICAL' : 'WARNING' }))),
  },
  {
    role: 'guardian',
    sign: 'no_approval',
    fires: { ...reviewed(finding()), earlier: [past(), past({ cycle: 2 })] },
    below: { ...reviewed(finding()), earlier: [past()] },
    immune: { ...reviewed(finding({ severity: 'CRITICAL' })), earlier: [past(), past({ cycle: 2 })] },
  },
  {
    role: 'guardian',
    sign: 'findings_without_fix',
    fires: reviewed(...several(3, (at) => ({ fix: at < 1 ? 'do it' : null }))),
    below: reviewed(...several(2, (at) => ({ fix: at < 1 ? 'do it' : null }))),
    immune: {
      answer: answer(
        several(3, () => ({ severity: 'INFO', fix: null })),
        'APPROVED',
      ),
    },
  },
  {
    role: 'guardian',
    sign: 'compromised_system',
    fires: reviewed(finding({ claim: 'An attacker who already has root can read the key' })),
    below: reviewed(finding({ claim: 'An attacker can read the key with a crafted path' })),
    immune: {
      ...reviewed(finding({ claim: 'If the host is compromised, the sandbox falls' })),
      task: { text: 'Harden the sandbox', expectedPaths: [] },
    },
  },
  {
    role: 'skeptic',
    sign: 'challenges',
    fires: reviewed(...several(8, (at) => ({ alternative: at === 0 ? null : 'x' }))),
    below: reviewed(...several(7)),
    immune: reviewed(...several(8)),
  },
  {
    role: 'skeptic',
    sign: 'without_alternatives',
    fires: reviewed(...several(3, (at) => ({ alternative: at === 0 ? 'x' : null, repro: null }))),
    below: reviewed(...several(2, (at) => ({ alternative: at === 0 ? 'x' : null, repro: null }))),
    immune: reviewed(...several(3, () => ({ alternative: null }))),
  },
  {
    role: 'skeptic',
    sign: 'same_concern_twice',
    fires: reviewed(
      finding({ claim: 'The cache can serve stale prices' }),
      finding({ claim: 'Stale prices may be served by that cache' }),
    ),
    below: reviewed(finding({ claim: 'The cache can serve stale prices' }), finding({ claim: 'No retry' })),
    immune: reviewed(
      finding({ claim: 'The cache can serve stale prices', fix: 'expire' }),
      finding({ claim: 'Stale prices served by the cache', file: 'src/b.ts', fix: 'drop it' }),
    ),
  },
  {
    role: 'skeptic',
    sign: 'out_of_scope',
    fires: reviewed(...several(4, () => ({ file: 'lib/other.ts' }))),
    below: reviewed(...several(3, () => ({ file: 'lib/other.ts' }))),
    immune: reviewed(...several(4, () => ({ file: 'lib/other.ts', repro: 'it calls src/a.ts' }))),
  },
  {
    role: 'trickster',
    sign: 'untouched_code',
    fires: reviewed(finding({ file: 'lib/other.ts' })),
    below: reviewed(finding()),
    immune: reviewed(finding({ file: 'lib/other.ts', claim: 'it breaks as src/a.ts returns null now' })),
  },
  {
    role: 'trickster',
    sign: 'untouched_code',
    fires: reviewed(finding({ line: 7 })),
    below: reviewed(finding({ line: 6 })),
    immune: reviewed(finding({ line: 70, repro: 'import src/a.ts twice' })),
  },
  {
    role: 'trickster',
    sign: 'many_findings',
    fires: {
      changed: files(4, (at) => `src/${'abcd'[at]}.ts`),
      ...reviewed(...several(11, () => ({ repro: null }))),
    },
    below: {
      changed: files(4, (at) => `src/${'abcd'[at]}.ts`),
      ...reviewed(...several(10, () => ({ repro: null }))),
    },
    immune: reviewed(...several(11)),
  },
  {
    role: 'trickster',
    sign: 'many_findings',
    fires: {
      changed: files(4, (at) => `src/${'abcd'[at]}.ts`),
      ...reviewed(...several(11, () => ({ repro: null }))),
    },
    below: {
      changed: files(5, (at) => `src/${'abcde'[at]}.ts`),
      ...reviewed(...several(11, () => ({ repro: null }))),
    },
    immune: reviewed(...several(11)),
  },
  {
    role: 'trickster',
    sign: 'impossible_scenario',
    fires: reviewed(finding({ claim: 'A cosmic ray flips the flag', repro: null })),
    below: reviewed(finding({ claim: 'A signal flips the flag' })),
    immune: reviewed(finding({ claim: 'When the clock goes backwards the lease is lost', repro: 'date -s' })),
  },
  {
    role: 'trickster',
    sign: 'without_repro',
    fires: reviewed(...several(4, () => ({ repro: null }))),
    below: reviewed(...several(3, () => ({ repro: null }))),
    immune: reviewed(...several(4, () => ({ repro: null, severity: 'INFO' }))),
  },
  {
    role: 'sage',
    sign: 'wordy',
    fires: {
      ...reviewed(finding({ claim: words(201), repro: null, fix: null, alternative: null })),
      changed: [{ path: 'src/a.ts', added: 60, removed: 40 }],
    },
    below: {
      ...reviewed(finding({ claim: words(200), repro: null, fix: null, alternative: null })),
      changed: [{ path: 'src/a.ts', added: 60, removed: 40 }],
    },
    immune: {
      ...reviewed(finding({ claim: words(119), repro: null, fix: null, alternative: null })),
      changed: [{ path: 'src/a.ts', added: 1, removed: 0 }],
    },
  },
  {
    role: 'sage',
    sign: 'outside_change',
    fires: reviewed(finding({ file: 'lib/other.ts' })),
    below: reviewed(finding()),
    immune: reviewed(finding({ file: 'lib/other.ts', claim: 'it repeats what src/a.ts does now' })),
  },
  {
    role: 'sage',
    sign: 'consider_without_action',
    fires: reviewed(...several(3, (at) => ({ claim: `Consider way ${at}`, fix: null, alternative: null }))),
    below: reviewed(...several(2, (at) => ({ claim: `Consider way ${at}`, fix: null, alternative: null }))),
    immune: reviewed(...several(3, (at) => ({ claim: `Consider way ${at}`, fix: null }))),
  },
  {
    role: 'sage',
    sign: 'docs_for_trivial',
    fires: reviewed(finding({ claim: 'Add a docstring to c', line: 3 })),
    below: reviewed(finding({ claim: 'Add a test of c', fix: 'test it', line: 3 })),
    immune: reviewed(finding({ claim: 'Add a docstring to b', line: 2 })),
  },
];

describe.each(ROWS)('$role: $sign', ({ role, sign, fires, below, immune }) => {
  const seen = (over: Partial<RoleObservation>) =>
    roleSigns(role, look(over)).find((one) => one.sign === sign);

  test('is seen at its number', () => expect(seen(fires)).toMatchObject({ immune: null }));
  test('is not seen just below it', () => expect(seen(below)).toBeUndefined());
  test('counts for nothing where it serves the goal, with the reason', () =>
    expect(seen(immune)).toMatchObject({ immune: expect.stringMatching(/\w/) }));
});

test('every sign of the table has a row', () => {
  const signs = new Set(ROWS.map(({ role, sign }) => `${role} ${sign}`));
  expect(signs.size).toBe(28);
});

test('an ordinary piece of work shows no sign', () => {
  for (const role of ['explorer', 'creator', 'maker'] as const) expect(roleSigns(role, look())).toEqual([]);
  for (const role of ['guardian', 'skeptic', 'trickster', 'sage'] as const) {
    expect(roleSigns(role, look(reviewed(finding())))).toEqual([]);
    expect(roleSigns(role, look({ answer: answer([], 'APPROVED') }))).toEqual([]);
  }
});

describe('scenarios', () => {
  test.each(ROLES)('every sign of a %s has one', (role) => {
    const signs = ROWS.filter((row) => row.role === role).map(({ sign }) => sign);
    expect([...new Set(signs)].sort()).toEqual(Object.keys(ROLE_SIGNS[role]).sort());
  });

  test.each(ROLES)('every number of a %s has one just at it and one just below', (role) => {
    const rows = ROWS.filter((row) => row.role === role);
    const outcomes = () =>
      rows.flatMap(({ fires, below, immune, sign }) =>
        [fires, below, immune].map((over) => {
          const found = roleSigns(role, look(over)).find((one) => one.sign === sign);
          return found === undefined ? 'none' : found.immune === null ? 'found' : 'immune';
        }),
      );
    expect(unnoticed(THRESHOLDS[role], outcomes)).toEqual([]);
  });
});

test("examples of the document: intensity alone isn't a shadow", () => {
  const critical = several(2, () => ({ severity: 'CRITICAL' as const }));
  expect(roleSigns('guardian', look(reviewed(...critical)))).toEqual([]);
  expect(roleSigns('trickster', look(reviewed(...several(5))))).toEqual([]);
  const reads = many(20, (at) => `pkg/${at}/x.ts`);
  const counted = roleSigns('explorer', look({ reads, text: `${reads.join(' ')} I recommend it.` }));
  expect(counted.filter(({ immune }) => immune === null)).toEqual([]);
});
