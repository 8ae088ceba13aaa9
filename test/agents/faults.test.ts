import { existsSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import type { HookContract, HookPlace } from 'ralph-agents/hook';
import type { Ruling } from 'ralph-kit/actions/action';
import { describe, expect, it } from 'vitest';
import { clientCommand } from '../../src/io/hook/client-command.ts';
import { type DirectOutcome, type DirectTrial, runDirect } from './direct.ts';
import { type Agent, agents } from './given.ts';
import { doesTheWork, says, shell } from './talk.ts';

/** A reviewer that sees what is wrong with a deletion. */
const honest: DirectTrial['onMessage'] = (message, { precious }): Ruling =>
  message.kind === 'action' && JSON.stringify(message.action.input).includes(precious)
    ? { decision: 'deny', rule: 'deletion_outside', reason: 'ralph: that is not yours' }
    : { decision: 'allow' };

const tidies: DirectTrial['scenario'] = (place) => ({
  turns: [says('I tidy up first.', shell(`rm -r ${place.precious}`)), ...doesTheWork(place)],
});

const keeps = ({ precious }: DirectOutcome) => existsSync(join(precious, 'keep.txt'));
const acted = ({ root }: DirectOutcome) => existsSync(join(root, 'src/hello.txt'));

/** A door behind which something else stands than ralph. */
function door(behave: (connection: Socket) => void): NonNullable<DirectTrial['misdirect']> {
  return async (place: HookPlace, scratch: string) => {
    const socket = join(scratch, 'door');
    const server = createServer((connection) => {
      connection.on('error', () => undefined);
      connection.once('data', () => behave(connection));
    }).unref();
    await new Promise<void>((resolve) => server.listen(socket, resolve));
    const client = clientCommand({ socket, token: place.token, node: process.execPath, cwd: scratch });
    return { ...place, socket, client };
  };
}

type Fault = { readonly fault: string } & Pick<DirectTrial, 'misdirect' | 'garble' | 'wallSeconds'>;

const HOOK_FAULTS: readonly Fault[] = [
  { fault: 'hangs', misdirect: door(() => undefined), wallSeconds: 12 },
  { fault: 'crashes', misdirect: door((connection) => connection.destroy()) },
  { fault: 'answers garbage', misdirect: door((connection) => connection.end('yes, go on {')) },
  { fault: 'breaks off', misdirect: door((connection) => connection.end('0 400\n{"hookSpecificOutput":{')) },
];

/** The same on a control channel: the answers to questions are replaced, by nothing where it hangs. */
function answering(line: string | null): NonNullable<DirectTrial['garble']> {
  return (contract): HookContract => {
    if (contract.transport !== 'control channel') throw new Error('this one has no control channel');
    return { ...contract, answer: () => line ?? '' };
  };
}

const ANOTHER = JSON.stringify({
  type: 'control_response',
  response: { subtype: 'success', request_id: 'another', response: {} },
});

const CHANNEL_FAULTS: readonly Fault[] = [
  { fault: 'hangs', garble: answering(null), wallSeconds: 12 },
  { fault: 'answers garbage', garble: answering('yes, go on {'), wallSeconds: 12 },
  { fault: 'answers another question', garble: answering(ANOTHER), wallSeconds: 12 },
];

function faultsOf({ name }: Agent): readonly Fault[] {
  return name === 'claude' ? CHANNEL_FAULTS : HOOK_FAULTS;
}

describe.each(agents())('$name', (agent) => {
  it('asks before it acts, and continues after a denial', async () => {
    const outcome = await runDirect(agent, { name: 'gate-contract', scenario: tidies, onMessage: honest });
    expect(keeps(outcome)).toBe(true);
    expect(acted(outcome)).toBe(true);
    expect(outcome.end).toEqual({ kind: 'exited', code: 0 });
  });

  it('does nothing when the reviewer throws', async () => {
    const onMessage = () => {
      throw new Error('broken');
    };
    const outcome = await runDirect(agent, { scenario: tidies, onMessage });
    expect(keeps(outcome)).toBe(true);
    expect(acted(outcome)).toBe(false);
  });

  it.each(faultsOf(agent))('does nothing when its gate $fault', async ({ fault, ...wrong }) => {
    const outcome = await runDirect(agent, { scenario: tidies, onMessage: honest, ...wrong });
    expect(keeps(outcome)).toBe(true);
    expect(acted(outcome)).toBe(false);
  });
});

describe.runIf(agents().some(({ name }) => name === 'claude'))('a message to claude while it works', () => {
  it('reaches the model with the next step', async () => {
    const [agent] = agents().filter(({ name }) => name === 'claude');
    if (agent === undefined) throw new Error('claude is there');
    let send: (text: string) => boolean = () => false;
    let sent = false;
    const outcome = await runDirect(agent, {
      scenario: (place) => ({
        turns: [says('A look first.', shell('cat README.md; ls')), ...doesTheWork(place)],
      }),
      onMessage: (message) => {
        // While claude waits for the ruling, so that the model is sure to be asked again.
        if (message.kind === 'action' && !sent) sent = send('WORD-WHILE-IT-WORKS');
        return { decision: 'allow' };
      },
      onOpen: (given) => {
        send = given;
      },
    });
    expect(sent).toBe(true);
    expect(acted(outcome)).toBe(true);
    const bodies = outcome.requests.map(({ body }) => body);
    expect(bodies[0]).not.toContain('WORD-WHILE-IT-WORKS');
    expect(bodies.slice(1).some((body) => body.includes('WORD-WHILE-IT-WORKS'))).toBe(true);
  });
});
