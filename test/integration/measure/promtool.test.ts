import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { EMPTY_STATE } from '../../../src/domain/records/state.ts';
import { prometheusText } from '../../../src/state/index.ts';
import { temporaryFolder } from '../../helpers/repository.ts';
import { expressions, STATE, states } from '../../unit/measure/metrics-inputs.ts';

const promtool = spawnSync('promtool', ['--version']).error === undefined;

// Where promtool is not on the PATH these are skipped; CI installs it.
describe.skipIf(!promtool)('promtool', () => {
  const checked = (args: string[], input: string) => {
    const { status, stdout, stderr } = spawnSync('promtool', args, { input, encoding: 'utf8' });
    return { status, output: `${stdout}${stderr}` };
  };

  it.each([
    ['a state with everything', STATE],
    ['an empty state', EMPTY_STATE],
  ])('has nothing to say about the metrics of %s', (_what, state) => {
    expect(checked(['check', 'metrics'], prometheusText(state))).toEqual({ status: 0, output: '' });
  });

  it('nor about those of any state', () => {
    fc.assert(
      fc.property(states, (state) => {
        expect(checked(['check', 'metrics'], prometheusText(state))).toEqual({ status: 0, output: '' });
      }),
      { numRuns: 30 },
    );
  });

  it('finds what is wrong, so that its silence means something', () => {
    expect(
      checked(['check', 'metrics'], '# TYPE ralphTasks_total gauge\nralphTasks_total 1\n').status,
    ).not.toBe(0);
  });

  it('understands every expression of the dashboard', () => {
    const rules = expressions.map(([, expr], index) => ({
      record: `ralph:panel${index}`,
      expr: expr.replaceAll('$__range', '1h'),
    }));
    const folder = join(temporaryFolder(), 'rules');
    mkdirSync(folder);
    const file = join(folder, 'rules.yml');
    // YAML contains JSON, so the rules are written as JSON.
    writeFileSync(file, JSON.stringify({ groups: [{ name: 'dashboard', rules }] }));
    expect(checked(['check', 'rules', file], '')).toMatchObject({
      status: 0,
      output: expect.stringContaining(`${rules.length} rules found`),
    });
  });

  it('gets the values that the panels are to show', () => {
    const file = join(temporaryFolder(), 'test.yml');
    const series = prometheusText(STATE)
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('#'))
      .map((line) => ({ series: line.replace(/ \S+$/, ''), values: `${line.split(' ').at(-1)}+0x120` }));
    const expr = expressions.find(([title]) => title === 'Interventions by type')?.[1];
    const samples = [
      { labels: '{intervention_type="checkpoint_rollback"}', value: 2 },
      { labels: '{intervention_type="emergency_stop"}', value: 2 },
      { labels: '{intervention_type="soft_correction"}', value: 6 },
    ];
    const test = {
      interval: '1m',
      input_series: series,
      promql_expr_test: [{ expr, eval_time: '1h', exp_samples: samples }],
    };
    writeFileSync(file, JSON.stringify({ tests: [test] }));
    expect(checked(['test', 'rules', file], '')).toMatchObject({ status: 0 });
  });
});
