import { describe, expect, it } from 'vitest';
import { agentsCheck } from '../../../src/app/doctor/checks/agents.ts';
import { AGENTS } from './facts.ts';

const CODEX = { name: 'codex', path: '/bin/codex', version: '0.1', signedIn: [] as string[] };
const found = (more: Partial<typeof AGENTS>) =>
  agentsCheck.judge({ ...AGENTS, ...more }).map(({ id, status }) => `${status} ${id}`);

describe('agents that roles name', () => {
  it('that are there are named', () => {
    expect(found({ roleAgents: ['claude', 'codex'] })).toContain('ok agents.roles');
    expect(found({ roleAgents: ['claude'] }).join()).not.toContain('agents.roles');
  });

  it('that are not there are an error', () => {
    const roleProblem = { message: 'The agent codex of [workflow.roles.sage] is not installed.', next: null };
    expect(found({ roleProblem })).toContain('error agents.roles');
  });

  it('that show no sign of a login are a warning, as the agent of the run is', () => {
    const builtIn = [...AGENTS.builtIn, CODEX];
    expect(found({ builtIn })).toContain('info agents.codex');
    expect(found({ builtIn, roleAgents: ['codex'] })).toContain('warning agents.codex');
  });

  it('are checked for their hook', () => {
    const reviewed = [...AGENTS.reviewed, { name: 'codex', by: 'hook' as const, refusesRoot: false }];
    expect(found({ reviewed })).toContain('ok agents.review.codex');
  });

  it('may have a cheaper model, which needs a budget', () => {
    const downgrades = [{ name: 'claude', model: 'haiku' }];
    expect(found({ downgrades })).toContain('info agents.downgrade.claude');
    expect(found({ downgrades, hasBudget: true })).toContain('ok agents.downgrade.claude');
  });
});
