import { expect, it } from 'vitest';
import { makeProject, SHELL_CLAIM, shellAgent } from '../helpers/cli.ts';
import { withSubmodule } from '../helpers/exactness/scenario.ts';

it('what is changed inside of a submodule is not done, and named; without it the same work is', () => {
  const one = makeProject({
    '.ralph/ralph.toml': shellAgent(),
    'agent.sh': `p=$(cat)\necho work > work.txt\ncase "$p" in *"inside of the submodule"*) echo inner > sub/inner.txt ;; *) echo agent >> sub/inner.txt ;; esac\n${SHELL_CLAIM}`,
  });
  withSubmodule(one);
  expect(one.json('run')).toMatchObject({ exit_code: 0, iterations: 2, lies_caught: 0 });
  const { verdict, cause } = one.iteration(1).decisions;
  expect(verdict.kind).toBe('incomplete');
  expect(cause).toContain('sub/inner.txt was changed inside of the submodule sub');
  expect(one.iteration(2).decisions.verdict.kind).toBe('done');
});
