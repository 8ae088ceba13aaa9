// A small ralph that runs one agent, handles signals and prints how the agent ended: node agent-driver.mjs
// REQUEST-FILE.
import { readFileSync } from 'node:fs';
import type { AgentProcessRequest } from '../../../src/domain/ports.ts';
import { systemClock } from '../../../src/io/clock.ts';
import { openProc } from '../../../src/io/proc/index.ts';
import { listenForStop } from '../../../src/io/stop-signal.ts';
import { boxAround } from '../boxed.ts';

type DriverInput = {
  readonly supervision?: 'auto' | 'group-scan';
  readonly isBoxed?: boolean;
  readonly request: Omit<AgentProcessRequest, 'parse' | 'onEvent' | 'stop'>;
};

const {
  supervision = 'auto',
  isBoxed = false,
  request,
}: DriverInput = JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8'));
const stop = listenForStop({
  onFirst: () => undefined,
  onSecond: () => undefined,
  onHardEnd: () => undefined,
});
const box = isBoxed ? boxAround(request.cwd) : null;
const result = await openProc({ clock: systemClock(), env: process.env, supervision, box }).runAgent({
  ...request,
  parse: () => [],
  onEvent: () => undefined,
  stop,
});
stop.dispose();
process.stdout.write(JSON.stringify(result));
