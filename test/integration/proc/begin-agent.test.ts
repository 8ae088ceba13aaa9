import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import type { AgentProcessRequest } from '../../../src/domain/ports.ts';
import { systemClock } from '../../../src/io/clock.ts';
import { openProc } from '../../../src/io/proc/index.ts';
import { carriersOf, carriersOfEnvironment, waitUntil } from '../../helpers/adversaries/token.ts';
import { agentRequest } from '../../helpers/adversaries/trial.ts';
import { boxAround, isWholeBox } from '../../helpers/boxed.ts';
import { manualStop } from '../../helpers/clocks.ts';
import { temporaryFolder } from '../../helpers/repository.ts';

/** Looks, some milliseconds apart: a word that comes too early has reached the agent by then. */
const LOOKS = 20;

/** Moments in the life of a box, spread over what making it takes, roughly. */
const ROUNDS = 15;
const BOX_MS = 30;

let folder = '';
beforeEach(() => {
  folder = temporaryFolder();
});

function requestFor(more: Partial<AgentProcessRequest>): AgentProcessRequest {
  const argv = ['sh', '-c', `: ${folder}; touch ran; cat done`] as const;
  return { ...agentRequest(folder, argv), stop: manualStop(), ...more };
}

const hasRun = () => existsSync(join(folder, 'ran'));

/** A process in the box is the shell that waits for ralph's word. */
const isWaiting = () =>
  carriersOfEnvironment(folder).some((pid) => readFileSync(`/proc/${pid}/cmdline`, 'latin1') === '/bin/sh\0');

/** bubblewrap names the folder as one that it mounts. */
const isGone = () => carriersOf(folder).length + carriersOfEnvironment(folder).length === 0;

describe.each([
  ['', false],
  [' in a box', true],
])('an agent%s', (_name, isBoxed) => {
  const proc = () => {
    const place = { clock: systemClock(), env: process.env };
    return openProc({ ...place, box: isBoxed ? boxAround(folder) : null });
  };
  const boxed = it.runIf(!isBoxed || isWholeBox);

  boxed('begins when what comes before it is done, and only then is said to have begun', async () => {
    const order: string[] = [];
    const request = requestFor({
      before: async () => {
        if (isBoxed) await waitUntil(isWaiting, 'the box is there');
        let looks = 0;
        await waitUntil(() => {
          looks += 1;
          return hasRun() || looks > LOOKS;
        }, 'it ran or did not');
        order.push(hasRun() ? 'ran too early' : 'before');
        writeFileSync(join(folder, 'done'), 'all is ready\n');
      },
      onBegun: () => order.push('begun'),
    });
    const { end } = await proc().runAgent(request);
    expect(end).toEqual({ kind: 'exited', code: 0 });
    expect(readFileSync(request.outputFile, 'utf8')).toBe('all is ready\n');
    expect(order).toEqual(['before', 'begun']);
  });

  boxed('never begins when what comes before it fails, and nothing of it is left', async () => {
    const order: string[] = [];
    const before = async () => {
      if (isBoxed) await waitUntil(isWaiting, 'the box is there');
      throw new Error('nothing could be protected');
    };
    const run = proc().runAgent(requestFor({ before, onBegun: () => order.push('begun') }));
    await expect(run).rejects.toThrow('nothing could be protected');
    await waitUntil(isGone, 'nothing of it is alive');
    expect(hasRun()).toBe(false);
    expect(order).toEqual([]);
  });

  boxed('is gone whenever what comes before it fails, also while the box is made', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const begun = performance.now() + round * (BOX_MS / ROUNDS);
      const before = async () => {
        await waitUntil(() => performance.now() >= begun, 'a part of the time that a box takes is over');
        throw new Error('nothing could be protected');
      };
      await expect(proc().runAgent(requestFor({ before }))).rejects.toThrow('nothing could be protected');
      await waitUntil(isGone, 'nothing of it is alive');
    }
    expect(hasRun()).toBe(false);
  });
});

it('an agent that can not be started never begins', async () => {
  const order: string[] = [];
  const { end } = await openProc({ clock: systemClock(), env: process.env }).runAgent({
    ...agentRequest(folder, ['./nothing']),
    stop: manualStop(),
    onBegun: () => order.push('begun'),
  });
  expect(end).toMatchObject({ kind: 'spawn_failed' });
  expect(order).toEqual([]);
});
