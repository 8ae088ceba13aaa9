/** @module-tag rest */

import { expect, it } from 'vitest';
import { makeProject, processesIn } from '../helpers/cli.ts';

const CLAIM =
  'RALPH_STATUS\nTASK: T-1\nSTATUS: DONE\nEXIT_SIGNAL: true\nEVIDENCE:\n- src/parser.ts:1 written\nEND_RALPH_STATUS';
const line = (value: object) => `printf '%s\\n' '${JSON.stringify(value)}'`;

/** Returns an agent that gives its result, and then waits for a server that it started. */
function agent(result: string): string {
  return [
    line({ type: 'system', subtype: 'init', session_id: 's-1' }),
    'mkdir -p src && echo "export {};" > src/parser.ts',
    'setsid tail -f /dev/null > /dev/null &',
    result,
    'wait',
  ].join('\n');
}

// An agent that gave its result and is silent has ended, however short the idle timeout is.
const CONFIG =
  '[loop]\nagent = "mine"\nmax_iterations = 1\n[runners.mine]\nargv = ["sh", "agent.sh"]\noutput = "claude-stream"\n[adaptive_timeout]\nidle_timeout = 1\n';

it('the result of an agent that waits for what it started counts, and nothing of it is left', () => {
  const result = line({
    type: 'result',
    subtype: 'success',
    is_error: false,
    result: CLAIM,
    session_id: 's-1',
  });
  const project = makeProject({ '.ralph/ralph.toml': CONFIG, 'agent.sh': agent(result) });
  const { code, stdout, stderr } = project.ralph('run');
  expect(code, stdout + stderr).toBe(0);
  const { facts, decisions } = project.iteration(1);
  expect(facts.end).toEqual({ kind: 'exited', code: 0, lingered: true });
  expect(decisions.verdict).toEqual({ kind: 'done' });
  expect(decisions.failedAttempt).toBe(false);
  expect(processesIn(project)).toEqual([]);
});

it('one that waits without a result has run out of time', () => {
  const project = makeProject({ '.ralph/ralph.toml': CONFIG, 'agent.sh': agent(':') });
  project.ralph('run');
  expect(project.iteration(1).facts.end).toMatchObject({ kind: 'timed_out', which: 'idle' });
  expect(processesIn(project)).toEqual([]);
});

// Plain text has no result event; only its status block shows that the agent is done.
const PLAIN = [
  'cat > /dev/null',
  'mkdir -p src && echo "export {};" > src/parser.ts',
  `printf '%s\\n' '${CLAIM.replaceAll('\n', "' '")}'`,
  'exec tail -f /dev/null\n',
].join('\n');

it.each([
  ['its idle timeout', '[adaptive_timeout]\nidle_timeout = 2\n'],
  ['its timeout', '[modes.speed]\ntimeout = 4\n[adaptive_timeout]\nenabled = false\nmin_timeout = 0\n'],
])('an agent that said that it is done and stays is judged, also where %s comes first', (_what, toml) => {
  const project = makeProject({
    '.ralph/ralph.toml': `[loop]\nagent = "mine"\nmax_iterations = 1\n[runners.mine]\nargv = ["sh", "agent.sh", "-"]\n${toml}`,
    'agent.sh': PLAIN,
  });
  const { code, stdout, stderr } = project.ralph('run');
  expect(code, stdout + stderr).toBe(0);
  expect(project.iteration(1).facts.end).toEqual({ kind: 'exited', code: 0, lingered: true });
  expect(project.iteration(1).decisions.verdict).toEqual({ kind: 'done' });
  expect(processesIn(project)).toEqual([]);
});
