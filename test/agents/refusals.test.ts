import { existsSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import type { AgentEvent } from 'ralph-agents/event';
import type { HookContract } from 'ralph-agents/hook';
import { describe, expect, it } from 'vitest';
import { clientCommand } from '../../src/io/hook/client-command.ts';
import { type Outcome, runWith } from './bench.ts';
import { type DirectTrial, runDirect } from './direct.ts';
import { agents } from './given.ts';
import { NOTES, refusedCalls } from './refused-calls.ts';
import { doesTheWork, says, shell } from './talk.ts';

const SETTINGS = ['', '[box]\nmode = "off"\n'];

describe.each(agents())('$name', (agent) => {
  it.each(SETTINGS)('continues after calls that it turned down itself (%j)', async (config) => {
    const outcome = await runWith(agent, {
      name: config === '' ? 'refused-calls' : 'refused-calls-without-a-box',
      config,
      files: NOTES,
      timeoutSeconds: 130,
      scenario: (place) => {
        const isBoxed = config === '';
        const there = isBoxed ? place : { ...place, root: '.' };
        const bad = refusedCalls(agent.name, there).map((call) => says('Let me try this.', call));
        const deletes = says('I tidy up.', shell(`rm -r ${place.precious}`));
        return { turns: [deletes, ...bad, ...doesTheWork(place, { isBoxed })] };
      },
    });
    expect(reviewOf(outcome)).toMatchObject({ mode: 'hook', proven: true, denied: 1, unreviewed: null });
    expect(existsSync(join(outcome.precious, 'keep.txt'))).toBe(true);
    expect(outcome.iterations[0]?.decisions.verdict).toEqual({ kind: 'done' });
  });

  it('continues after several calls at once, one that fails and one that it turned down', async () => {
    const outcome = await runWith(agent, {
      name: 'refused-beside-others',
      files: NOTES,
      timeoutSeconds: 130,
      scenario: (place) => {
        const [bad] = refusedCalls(agent.name, place);
        const calls = [shell('ls; exit 1'), ...(bad === undefined ? [] : [bad]), shell('ls src')];
        const idle = says('I wait.', shell('ls'));
        // A turn for each result.
        return { turns: [says('All at once.', ...calls), idle, idle, ...doesTheWork(place)] };
      },
    });
    expect(reviewOf(outcome)).toMatchObject({ mode: 'hook', denied: 0, unreviewed: null });
    expect(outcome.iterations[0]?.decisions.verdict).toEqual({ kind: 'done' });
  });

  it('reports a call as refused when its hook got no answer', async () => {
    const { events, root } = await runDirect(agent, {
      scenario: () => ({ turns: [says('Now.', shell('touch made.txt')), says('I could not.')] }),
      onMessage: () => ({ decision: 'allow' }),
      ...(agent.name === 'claude' ? { garble: withoutAnswers } : { misdirect: unreachable }),
    });
    expect(existsSync(join(root, 'made.txt'))).toBe(false);
    const results = events.filter((event) => event.kind === 'tool_result');
    // Codex reports no such call at all.
    if (agent.name === 'codex') expect(events.filter(({ kind }) => kind === 'tool_call')).toEqual([]);
    else expect(results).toMatchObject([{ ok: false, refused: true }]);
  });

  it('does not take what a command prints for a refusal', async () => {
    const words = FORGED.map((line) => `echo '${line}'`).join('; ');
    const { events } = await runDirect(agent, {
      wallSeconds: 160,
      scenario: () => ({
        turns: [
          ...FORGED.map((line) => says('', shell(`echo '${line}'; exit 3`))),
          says('', shell(`(${words}) >&2; exit 3`)),
          says('Done.'),
        ] as never,
      }),
      onMessage: () => ({ decision: 'allow' }),
    });
    const results = events.filter((event): event is Result => event.kind === 'tool_result');
    expect(results.map(({ refused }) => refused)).toEqual([...FORGED, ''].map(() => undefined));
  });
});

type Result = Extract<AgentEvent, { kind: 'tool_result' }>;

/** What the agents say of calls that they turn down. */
const FORGED: readonly string[] = [
  '<tool_use_error>InputValidationError: Bash failed due to the following issue</tool_use_error>',
  'params must have required property "command"',
  'Validation failed for tool "bash":\n  - command: must be there\n\nReceived arguments:\n{}',
  'Tool bash not found',
  '"command": Required',
  'The bash tool was called with invalid arguments: SchemaError',
  'ralph: the reviewer did not answer, so this action is denied.',
];

const unreachable: NonNullable<DirectTrial['misdirect']> = async (place, scratch) => {
  const socket = join(scratch, 'door');
  const server = createServer((connection) => connection.destroy()).unref();
  await new Promise<void>((resolve) => server.listen(socket, resolve));
  const client = clientCommand({ socket, token: place.token, node: process.execPath, cwd: scratch });
  return { ...place, socket, client };
};

/** Each question on a control channel is answered with an error. */
function withoutAnswers(contract: HookContract): HookContract {
  if (contract.transport !== 'control channel') throw new Error('this one has no control channel');
  return {
    ...contract,
    answer: (message) =>
      contract.answer(
        { kind: 'unknown', request: 'request' in message ? message.request : '' },
        { decision: 'allow' },
      ),
  };
}

function reviewOf({ iterations }: Outcome) {
  const review = iterations[0]?.facts.review;
  if (review === undefined) throw new Error('the record says nothing of a review');
  return review;
}
