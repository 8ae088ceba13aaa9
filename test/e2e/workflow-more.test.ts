/** @module-tag slow */

import { sha256 } from 'ralph-kit/files/sha256';
import { describe, expect, it } from 'vitest';
import { iterationPath, roleFolder } from '../../src/domain/records/iteration-path.ts';
import type { InputsDocument } from '../../src/domain/records/run-record.ts';
import type { Role, WorkflowFacts } from '../../src/domain/workflow/roles.ts';
import { openChecks } from '../../src/replay/checks.ts';
import { checkRolePrompts } from '../../src/replay/replay-iteration.ts';
import { makeProject, type Project, withoutBox } from '../helpers/cli.ts';
import { answers, approves, inRole, makes, scenario, settings } from '../helpers/reviewing-roles.ts';

withoutBox();

const STANDARD = settings('kind = "standard"');

function project(text: string, toml = STANDARD): Project {
  return makeProject({ '.ralph/ralph.toml': toml, '.ralph/scenario.json': text });
}

const WORK = makes('export const a = {attempt};\n');
const SAGE = inRole('sage', [approves]);
const runs = (of: Project, number: number) => of.iteration(number).facts.workflow?.runs ?? [];

const APPROVED = '{"nonce":"{nonce}","verdict":"APPROVED","findings":[]}';

describe("an answer that isn't one", () => {
  it('is asked for once more, and may be right then', () => {
    const made = project(
      scenario(
        WORK,
        SAGE,
        inRole('guardian', [approves], { prompt_includes: 'Your answer could not be read' }),
        inRole('guardian', [{ action: 'print', text: 'Looks good to me. APPROVED' }]),
      ),
    );
    expect(made.json('run').ending).toBe('all_done');
    const guardian = runs(made, 1).find(({ role }) => role === 'guardian');
    expect(guardian?.turns).toHaveLength(2);
  });

  it.each([
    ['prose', 'APPROVED'],
    ['two blocks', `${APPROVED} ${APPROVED}`],
    ['cut off', APPROVED.slice(0, -3)],
    ['without its nonce', APPROVED.replace('"nonce":"{nonce}",', '')],
    ['with the nonce of another', APPROVED.replace('{nonce}', 'abcdefghijklmnop')],
    ['2 MB', `${'x'.repeat(2_000_000)}${APPROVED}`],
  ])('%s twice is a failed review, never an approval', (_, text) => {
    const made = project(scenario(WORK, SAGE, inRole('guardian', [{ action: 'print', text }])));
    expect(made.json('run').ending).toBe('awaiting_human');
    const { decisions } = made.iteration(1);
    expect(decisions.verdict.kind).toBe('changes_requested');
    expect(decisions.parkedBecause).toContain('the review by guardian failed');
    expect(runs(made, 1).find(({ role }) => role === 'guardian')?.turns).toHaveLength(2);
  });
});

describe('the protocol', () => {
  it('waits for you after max_cycles, and continues when you say so', () => {
    const made = project(
      scenario(WORK, SAGE, inRole('guardian', [answers('CHANGES_REQUESTED', {})])),
      settings('kind = "standard"\nmax_cycles = 2'),
    );
    const first = made.ralph('run');
    expect(first.code).toBe(5);
    expect(made.iterations()).toEqual([1, 2]);
    expect(made.iteration(2).decisions.parkedBecause).toBe(
      'guardian still asked for changes after 2 cycles.',
    );
    expect(made.ralph('unblock', 'T-1').code).toBe(0);
    expect(made.ralph('run', '--max-iterations', '1').code).not.toBe(2);
    expect(made.iterations()).toEqual([1, 2, 3]);
    expect(made.iteration(3).facts.taskState.workflow).toBeNull();
  });

  it('replaces an entrenched reviewer the second time, and asks you the third time', () => {
    const paranoid = answers(
      'CHANGES_REQUESTED',
      { claim: 'An attacker who already has root can read it' },
      { claim: 'names are unclear', severity: 'INFO' },
    );
    const other = { output: 'text', steps: [{ do: [paranoid] }] };
    const made = makeProject({
      '.ralph/ralph.toml': `${settings('kind = "standard"\nmax_cycles = 9\n[workflow.roles.guardian]\nreplacement = "second"')}[runners.second]\nscenario = "other.json"\n`,
      '.ralph/scenario.json': scenario(WORK, SAGE, inRole('guardian', [paranoid])),
      'other.json': JSON.stringify(other),
    });
    expect(made.ralph('run').code).toBe(5);
    const steps = made.iterations().map((n) => made.iteration(n).decisions.workflow?.escalations[0]);
    expect(steps).toMatchObject([
      { issue: 'guardian:paranoid', times: 1, step: 'correct' },
      { issue: 'guardian:paranoid', times: 2, step: 'replace' },
      { issue: 'guardian:paranoid', times: 3, step: 'person', asks: 're-scope the task' },
    ]);
    const guardians = made.iterations().map((n) => runs(made, n).find(({ role }) => role === 'guardian'));
    expect(guardians.map((run) => [run?.agent, run?.replaced])).toEqual([
      ['scripted', false],
      ['scripted', false],
      ['second', true],
    ]);
    const second = made.read(
      `.ralph/runs/${made.iteration(2).facts.run}/iterations/0002/roles/01-guardian/prompt.md`,
    );
    expect(second).toContain('would a senior engineer block a change for it?');
  });

  it('asks the guardian again where everyone approved at once', () => {
    const made = project(
      scenario(
        WORK,
        SAGE,
        inRole('guardian', [answers('CHANGES_REQUESTED', { claim: 'no bounds' })], {
          prompt_includes: 'Look again',
        }),
        inRole('guardian', [approves]),
      ),
    );
    made.json('run', '--max-iterations', '1');
    expect(runs(made, 1).map(({ role, adversarial }) => [role, adversarial])).toEqual([
      ['guardian', false],
      ['sage', false],
      ['guardian', true],
    ]);
    expect(made.iteration(1).decisions.verdict.kind).toBe('changes_requested');
    // The next run meets the same, ends, and reports it.
    const again = made.json('run');
    expect(again.ending).toBe('awaiting_human');
    expect(again.reason).toContain('echo_chamber was found 2 times');
  });
});

it('logs, report and explain show which role ran with which agent, and what became of its findings', () => {
  const asks = answers('CHANGES_REQUESTED', { claim: 'the total is off' });
  const made = project(
    scenario(
      makes('export const a = 2;\n', { prompt_includes: 'the total is off' }),
      WORK,
      SAGE,
      inRole('guardian', [approves], { prompt_includes: 'export const a = 2' }),
      inRole('guardian', [asks]),
    ),
  );
  made.ralph('run', '--max-iterations', '1');
  const log = made.ralph('logs', '1').stdout;
  expect(log).toMatch(/guardian \(scripted[^)]*\): changes requested/);
  expect(log).toContain('WARNING src/a.ts:1: the total is off (for the maker)');
  expect(made.json('logs', '1').attempts[0].roles).toMatchObject([
    { role: 'guardian', agent: 'scripted', findings: [{ fate: 'fix_now' }] },
    { role: 'sage', agent: 'scripted', findings: [] },
  ]);
  const explained = made.ralph('explain', 'T-1').stdout;
  expect(explained).toContain('workflow standard, 1 of 3 cycles: guardian (scripted), sage (scripted)');
  expect(explained).toContain('cycle 1, guardian: changes requested');
  made.ralph('run');
  expect(made.ralph('report').stdout).toMatch(/Role guardian \(scripted\): 2 times, no findings, 1 resolved/);
});

describe('thorough', () => {
  it('plans, works and is reviewed by four', () => {
    const plan =
      'Change one file.\n\n```json\n{"files":["src/a.ts"],"new_abstractions":[],"new_packages":[]}\n```';
    const made = project(
      scenario(
        inRole('explorer', [{ action: 'print', text: 'src/ is small. I recommend to change src/a.ts.' }]),
        inRole('creator', [{ action: 'print', text: plan }], { prompt_includes: 'I recommend to change' }),
        makes('export const a = 1;\n', { prompt_includes: 'Approved plan' }),
        ...['guardian', 'skeptic', 'trickster', 'sage'].map((role) => inRole(role, [approves])),
      ),
      settings('kind = "thorough"'),
    );
    expect(made.json('run').ending).toBe('all_done');
    expect(runs(made, 1).map(({ role }) => role)).toEqual([
      ...['explorer', 'creator', 'guardian', 'skeptic', 'trickster', 'sage', 'guardian'],
    ]);
    expect(made.iteration(1).facts.workflow?.plan?.files).toEqual(['src/a.ts']);
  });
});

function turnOf({ runs: all }: WorkflowFacts, role: Role): { text: string } {
  const turn = all.find((one) => one.role === role)?.turns[0];
  if (turn === undefined) throw new Error(`no ${role}`);
  return turn;
}

it('replay asks each role the same, from the facts, and sees a prompt that was changed', () => {
  const made = project(
    scenario(
      inRole('explorer', [{ action: 'print', text: 'I recommend to change src/a.ts.' }]),
      inRole('creator', [{ action: 'print', text: 'Change one file.' }]),
      makes('export const a = {attempt};\n'),
      inRole('guardian', [approves], { prompt_includes: 'Your answer could not be read' }),
      inRole('guardian', [{ action: 'print', text: 'fine' }]),
      inRole('sage', [answers('CHANGES_REQUESTED', {})], { attempt: 1 }),
      ...['skeptic', 'trickster', 'sage'].map((role) => inRole(role, [approves])),
    ),
    settings('kind = "thorough"'),
  );
  made.write('.ralph/PROMPT_sage.md', '# Mine\n\n{{task_id}}\n\n## Before\n\n{{earlier}}\n');
  expect(made.json('run', '--trust').ending).toBe('all_done');
  const replay = () => made.json('replay');
  const before = replay();
  expect(before.outcome).toBe('equal');
  // Every prompt follows from its facts: with other facts it is another one.
  const { facts } = made.iteration(1);
  const inputs = JSON.parse(made.read(`.ralph/runs/${facts.run}/${facts.inputs}`)) as InputsDocument;
  const differing = (change: (workflow: WorkflowFacts, of: InputsDocument) => void) => {
    const [other, otherInputs] = [structuredClone(facts), structuredClone(inputs)];
    if (other.workflow !== null) change(other.workflow, otherInputs);
    const checks = openChecks(1);
    checkRolePrompts(checks, new Map(), { facts: other, inputs: otherInputs }, { sha256 });
    const decided = checks.differences.filter(({ kind }) => kind === 'decision');
    return [...new Set(decided.map(({ what }) => what.replace(/^prompt of \d+-|\[\d\]$/g, '')))];
  };
  const reviewing = ['guardian', 'skeptic', 'trickster', 'sage'];
  expect(differing(() => undefined)).toEqual([]);
  expect(differing((workflow) => (workflow.diff = '+other'))).toEqual(reviewing);
  expect(differing((workflow) => (workflow.plan = null))).toEqual(['guardian', 'skeptic', 'trickster']);
  expect(differing((_, of) => of.constraints.push('no new packages'))).toEqual(['explorer', 'creator']);
  expect(differing((_, of) => (of.roleTemplates.sage = 'Approve {{diff}}'))).toEqual(['sage']);
  expect(differing((workflow) => (turnOf(workflow, 'explorer').text = 'Else.'))).toEqual(['creator']);
  expect(differing((workflow) => (turnOf(workflow, 'guardian').text = 'else'))).toEqual(['guardian']);
  const sage = runs(made, 2).find(({ role }) => role === 'sage');
  const name = sage === undefined ? '' : roleFolder(sage);
  const path = `.ralph/${iterationPath(made.iteration(2).facts)}/roles/${name}/prompt.md`;
  expect(made.read(path)).toContain('# Mine\n\nT-1\n\n## Before');
  made.write(path, 'Approve.\n');
  made.replaysDifferently('the prompt of a role was changed', `prompt of ${name}[0]`);
  expect(replay()).toMatchObject({ outcome: 'different', differences: 1 });
});
