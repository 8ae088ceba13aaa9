/** @module-tag slow */

import { readdirSync } from 'node:fs';
import { expect, it, vi } from 'vitest';
import { always, makeProject } from '../helpers/cli.ts';
import { spansIn } from '../helpers/otlp.ts';

function lyingProject() {
  const project = makeProject({
    '.ralph/ralph.toml':
      '[loop]\nagent = "scripted"\nmax_iterations = 2\n[runners.scripted]\nscenario = "s.json"\n',
    's.json': always({ action: 'print', text: 'nothing done' }),
  });
  project.ralph('run');
  return project;
}

it('gives the same numbers as .ralph/metrics.json, as text and for Prometheus', () => {
  const project = lyingProject();
  const view = JSON.parse(project.read('.ralph/metrics.json'));
  expect(view.iterations).toBe(2);
  expect(project.json('metrics')).toMatchObject({ cmd: 'metrics', exit_code: 0, ...view });
  expect(JSON.parse(project.ralph('metrics', '--json').stdout)).toMatchObject(view);
  const { stdout, stderr, code } = project.ralph('metrics', '--format', 'prometheus');
  expect([code, stderr]).toEqual([0, '']);
  expect(stdout).toMatch(/^# HELP ralph_intervention_total /);
  expect(stdout).toMatch(/^ralph_iterations_total 2$/m);
  expect(project.ralph('--format=prometheus', 'metrics').stdout).toBe(stdout);
  const table = project.ralph('metrics', '--format', 'table');
  expect(table.stdout).toMatch(/^iterations +2$/m);
  expect(project.ralph('metrics').stdout).toBe(table.stdout);
});

it.each(['status', 'doctor'])("the forms of metrics aren't forms of %s", (command) => {
  const finished = makeProject().ralph(command, '--format', 'prometheus');
  expect(finished.code).toBe(2);
  expect(finished.stdout).toBe('');
  expect(finished.stderr).toContain(
    `'prometheus' is for ralph metrics alone. ralph ${command} prints text, json.`,
  );
});

it('a form that no command has is refused', () => {
  const finished = makeProject().ralph('metrics', '--format', 'xml');
  expect([finished.code, finished.stdout]).toEqual([2, '']);
  expect(finished.stderr).toContain('ralph metrics prints text, json, table, prometheus.');
});

it('writes the spans of each iteration into one file a run', () => {
  const project = lyingProject();
  const [run] = readdirSync(project.path('.ralph/runs'));
  const lines = project.read(`.ralph/runs/${run}/spans.jsonl`).trimEnd().split('\n');
  expect(lines.map((line) => spansIn(line).map(({ name }) => name))).toEqual(
    Array(2).fill([
      ...['iteration', 'agent_execution', 'detection', 'evidence_validation', 'gates', 'intervention'],
    ]),
  );
});

it('doctor names an endpoint in the environment, which has no effect', () => {
  vi.stubEnv('OTEL_EXPORTER_OTLP_ENDPOINT', 'http://127.0.0.1:9');
  try {
    expect(makeProject().ralph('doctor').stdout).toMatch(
      /OTEL_EXPORTER_OTLP_ENDPOINT has no effect on ralph[^→]*spans\.jsonl/,
    );
  } finally {
    vi.unstubAllEnvs();
  }
});

it('shows what each task, agent and model used, and what of its cost is estimated', () => {
  const tokens = { action: 'usage', input_tokens: 100_000, output_tokens: 2_000 } as const;
  const project = makeProject({
    '.ralph/ralph.toml': [
      ...['[loop]', 'agent = "scripted"', 'max_iterations = 2', '[runners.scripted]', 'scenario = "s.json"'],
      ...['model = "gpt-5.5"', '[budget.prices."gpt-5.5"]', 'input = 1.25', 'output = 10'],
    ].join('\n'),
    's.json': JSON.stringify({
      output: 'claude-stream',
      steps: [],
      otherwise: [tokens, { action: 'print', text: 'nothing' }],
    }),
  });
  const { stdout } = project.ralph('run');
  expect(stdout).not.toContain('is read as');
  expect(stdout).toMatch(/^ {4}gpt-5\.5, 102,000 tokens, ~\$0\.14 \(estimated\)$/m);
  expect(stdout).toMatch(/^2 iterations in .*, 204,000 tokens, ~\$0\.29 \(estimated\), /m);
  const used = { tokens: 204_000, cost_usd: 0, estimated_usd: 0.29 };
  const [task] = project.json('metrics').spend.by_task;
  expect(task).toMatchObject({ ...used, by_model: [{ agent: 'scripted', model: 'gpt-5.5', ...used }] });
  expect(project.ralph('metrics').stdout).toMatch(/scripted +gpt-5\.5 +204,000 +~\$0\.29 \(estimated\)/);
  expect(project.ralph('metrics', '--format', 'prometheus').stdout).toContain(
    'ralph_cost_usd_total{agent="scripted",model="gpt-5.5",estimated="true"} 0.29\n',
  );
  const { decisions } = project.iteration(1);
  expect(decisions.spend).toMatchObject([{ model: 'gpt-5.5', inputTokens: 100_000, estimated: true }]);
  const last = { agent: 'scripted', model: 'gpt-5.5', tokens: 102_000, estimated_usd: 0.145, cost_usd: 0 };
  expect(project.json('status').last_attempt).toMatchObject(last);
  expect(project.ralph('status').stdout).toMatch(
    /Last attempt: .*, 102,000 tokens, ~\$0\.14 \(estimated\)\n {2}model gpt-5\.5/,
  );
});
