import { afterEach, expect, it } from 'vitest';
import { agentProgram } from '../../../src/io/proc/agent-program.ts';
import { makeRepository, type TestRepository, temporaryFolder } from '../../helpers/repository.ts';

const { PATH } = process.env;
afterEach(() => {
  process.env.PATH = PATH;
});

/** A repository with a program, whose folder comes first in PATH. */
function planted(outside: string): TestRepository {
  const repo = makeRepository();
  repo.write('tools/worker', '#!/bin/sh\n', 0o755);
  process.env.PATH = `${repo.path('tools')}:${outside}`;
  return repo;
}

it('what is installed outside of the repository comes first', () => {
  const outside = makeRepository();
  outside.write('worker', '#!/bin/sh\n', 0o755);
  const repo = planted(outside.root);
  expect(agentProgram('worker', repo.root, process.env)).toBe(outside.path('worker'));
});

it('what is only in the repository, or named by its path, stays what you named', () => {
  const repo = planted(temporaryFolder());
  expect(agentProgram('worker', repo.root, process.env)).toBe('worker');
  expect(agentProgram('./tools/worker', repo.root, process.env)).toBe('./tools/worker');
});

it('a PATH of the agent’s own settings counts as it is', () => {
  const repo = planted(temporaryFolder());
  expect(agentProgram('worker', repo.root, { PATH: '/elsewhere' })).toBe('worker');
});
