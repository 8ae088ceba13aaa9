import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { AgentEvent } from 'ralph-agents/event';
import { beforeEach, describe, expect, it } from 'vitest';
import { systemClock } from '../../../src/io/clock.ts';
import { openProc } from '../../../src/io/proc/index.ts';
import { agentRequest } from '../../helpers/adversaries/trial.ts';
import { boxAround, isWholeBox } from '../../helpers/boxed.ts';
import { manualStop } from '../../helpers/clocks.ts';
import { temporaryFolder } from '../../helpers/repository.ts';

let folder = '';
beforeEach(() => {
  folder = temporaryFolder();
});

/** What an agent's report says that runs this script; `$REPORT` is the path of its file. */
async function reported(script: string, boxed = false) {
  const path = join(folder, 'state', 'hooks', 'attempt', 'report.json');
  const box = boxed ? boxAround(folder) : null;
  const proc = openProc({
    clock: systemClock(),
    env: { PATH: process.env.PATH, SET: 'by you' },
    box,
    root: folder,
  });
  const events: AgentEvent[] = [];
  const argv = ['sh', '-c', script] as const;
  await proc.runAgent({
    ...agentRequest(folder, argv),
    plan: {
      ...{ argv, env: { REPORT: path }, stdin: 'empty', defaults: { SET: 'by ralph', UNSET: 'by ralph' } },
      report: { path, parse: (text) => [{ kind: 'model', model: text.trim() }] },
    },
    stop: manualStop(),
    limits: { wallMs: 30_000, idleMs: 0, graceMs: 5000 },
    onEvent: (event) => events.push(event),
  });
  expect(existsSync(dirname(path))).toBe(false);
  return events.flatMap((event) => (event.kind === 'model' ? [event.model] : []));
}

describe('a report that an agent leaves in a file', () => {
  it.each([
    ['is read when it has ended', 'echo done > "$REPORT"', ['done']],
    ['is read although it failed', 'echo done > "$REPORT"; exit 3', ['done']],
    ['is nothing where there is none', 'true', []],
    ['is nothing where it took the folder away', 'rmdir "$(dirname "$REPORT")"', []],
    ["isn't a link", 'echo secret > other; ln -s "$PWD/other" "$REPORT"', []],
    ["isn't a pipe", 'mkfifo "$REPORT"', []],
    ['is not read without an end', 'head -c 2000000 /dev/zero > "$REPORT"', []],
  ])('%s', async (_, script, models) => {
    expect(await reported(script)).toEqual(models);
  });

  it.runIf(isWholeBox)('is written in the box, too', async () => {
    expect(await reported('echo done > "$REPORT"', true)).toEqual(['done']);
  });
});

it('a variable that you set wins over what ralph sets where there is none', async () => {
  expect(await reported('echo "$SET, $UNSET" > "$REPORT"')).toEqual(['by you, by ralph']);
});
