import type { Row } from './row.ts';
import { checkouts } from './rows/checkout.ts';
import { clocks } from './rows/clock.ts';
import { damage, damageCommands } from './rows/damage.ts';
import { fullDisk } from './rows/disk.ts';
import { fleets } from './rows/fleet.ts';
import { hostile } from './rows/hostile.ts';
import { hostileKill } from './rows/hostile-kill.ts';
import { killLoop } from './rows/kill-loop.ts';
import { landings } from './rows/landing.ts';
import { lockTakeOver } from './rows/lock.ts';
import { objects } from './rows/objects.ts';
import { output } from './rows/output.ts';
import { processTrees } from './rows/process-trees.ts';
import { agedSnapshots, exactness, snapshotRounds } from './rows/snapshot.ts';
import { workers } from './rows/workers.ts';
import { workersMany } from './rows/workers-many.ts';

/** The rows of the reliability table, in the order of the promises. */
export const ROWS: readonly Row[] = [
  exactness,
  objects,
  snapshotRounds,
  agedSnapshots,
  processTrees,
  killLoop,
  workers,
  workersMany,
  ...fleets,
  hostileKill,
  checkouts,
  landings,
  lockTakeOver,
  fullDisk,
  clocks,
  damage,
  damageCommands,
  output,
  hostile,
];
