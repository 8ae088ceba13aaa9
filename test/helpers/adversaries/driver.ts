// A small ralph that runs one agent until it is killed: node driver.mjs REQUEST-FILE. Bundled by `bundleDriver`.
import { readFileSync } from 'node:fs';
import type { AgentProcessRequest } from '../../../src/domain/ports.ts';
import { systemClock } from '../../../src/io/clock.ts';
import { openProc } from '../../../src/io/proc/index.ts';
import { manualStop } from './manual-stop.ts';

type DriverInput = {
  readonly supervision: 'auto' | 'group-scan';
  readonly request: Omit<AgentProcessRequest, 'parse' | 'onEvent' | 'stop' | 'limits'>;
};

const input: DriverInput = JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8'));
const proc = openProc({ clock: systemClock(), env: process.env, supervision: input.supervision });
await proc.runAgent({
  ...input.request,
  parse: () => [],
  onEvent: () => undefined,
  stop: manualStop(),
  limits: { wallMs: 3_600_000, idleMs: 0, graceMs: 100 },
});
