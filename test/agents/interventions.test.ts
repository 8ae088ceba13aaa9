import { describe, expect, it } from 'vitest';
import { runWith } from './bench.ts';
import { agents } from './given.ts';
import { claim, doesTheWork, says, shell } from './talk.ts';

/** The same failing call again and again, each time on another file. */
const tried = (index: number) => says(`Try ${index}.`, shell(`cat missing-${index}/settings.json`));
const touched = (name: string) => says(`Now ${name}.`, shell(`touch ${name}.txt`));
const REPEATED = [tried(1), tried(2), tried(3)] as const;

describe.each(agents())('$name', (agent) => {
  // Gemini calls a command that failed a success, and does not tell its exit code.
  it.skipIf(agent.name === 'gemini')('that repeats an error is seen to', async () => {
    const outcome = await runWith(agent, {
      name: 'repeats-an-error',
      args: ['--max-iterations', '1'],
      scenario: (place) => ({
        turns: [...REPEATED, ...doesTheWork(place).slice(0, 1), says('I will go on with it later.')],
      }),
    });
    const [record] = outcome.iterations;
    const { observed, resources } = record?.facts ?? {};
    expect(observed?.errors.map(({ count }) => count)).toEqual([3]);
    expect(record?.decisions.findings.map(({ type }) => type)).toContain('repetitive_errors');
    const applied = record?.decisions.interventions?.map(({ record: { issue, type } }) => [issue, type]);
    expect(applied).toContainEqual(['repetitive_errors', 'soft_correction']);
    expect(resources?.fileOperations).toBeGreaterThan(0);
    // Too short to read the memory on a fast machine; where there was one, it is a real one.
    expect(resources?.memoryMb === 0 || (resources?.memoryMb ?? 0) > 5).toBe(true);
  });

  it('does its work without a finding', async () => {
    const outcome = await runWith(agent, {
      name: 'works-without-a-finding',
      scenario: (place) => ({ turns: doesTheWork(place) }),
    });
    const [record] = outcome.iterations;
    expect(record?.decisions.findings).toEqual([]);
    expect(record?.decisions.interventions).toEqual([]);
    expect(record?.facts.observed?.actions.map(({ kind }) => kind)).toEqual([
      expect.stringMatching(/^(?:file_\w+|patch|system_command)$/),
      'system_command',
    ]);
  });

  it('that crosses its limit of file operations is ended before the next one', async () => {
    const outcome = await runWith(agent, {
      name: 'crosses-a-limit',
      args: ['--max-iterations', '1'],
      config: '[limits]\nmax_file_operations = 2\n',
      scenario: () => ({
        turns: [touched('a'), touched('b'), touched('c'), touched('d'), says(claim('a.txt created'))],
      }),
    });
    const [record] = outcome.iterations;
    expect(record?.facts.end).toMatchObject({ kind: 'halted', why: 'limit_crossed' });
    // In its copy: nothing of it lands.
    expect(record?.facts.changes.changes.map(({ path }) => path)).toEqual(['a.txt', 'b.txt']);
    expect(outcome.alive ?? []).toEqual([]);
  });
});

describe.runIf(agents().some(({ name }) => name === 'claude'))('claude, while it works', () => {
  it('is told of an error that it repeats, and of nothing twice', async () => {
    const [agent] = agents().filter(({ name }) => name === 'claude');
    if (agent === undefined) throw new Error('claude is there');
    const outcome = await runWith(agent, {
      name: 'is-corrected-while-it-works',
      config: '[interventions]\nmid_stream = true\n',
      scenario: (place) => ({ turns: [...REPEATED, says('Once more.', shell('ls')), ...doesTheWork(place)] }),
    });
    const [record] = outcome.iterations;
    const corrections = record?.facts.observed?.corrections ?? [];
    expect(corrections.map(({ issue }) => issue)).toEqual(['repetitive_errors']);
    const firstLine = JSON.stringify(corrections[0]?.text.split('\n')[0]).slice(1, -1);
    expect(outcome.requests.some(({ body }) => body.includes(firstLine))).toBe(true);
    expect(record?.decisions.verdict.kind).toBe('done');
  });
});
