import type { DoctorFinding } from './check.ts';
import { agentsCheck } from './checks/agents.ts';
import { boxCheck } from './checks/box.ts';
import { chatsCheck } from './checks/chats.ts';
import { configCheck } from './checks/config.ts';
import { detectorsCheck } from './checks/detectors.ts';
import { foldersCheck } from './checks/folders.ts';
import { gatesCheck } from './checks/gates.ts';
import { gitCheck } from './checks/git.ts';
import { heldOutInScene } from './checks/held-out.ts';
import { hooksCheck } from './checks/hooks.ts';
import { journalCheck } from './checks/journal.ts';
import { locksCheck } from './checks/locks.ts';
import { machineCheck } from './checks/machine.ts';
import { ralphGoldCheck } from './checks/ralph-gold.ts';
import { recordsCheck } from './checks/records.ts';
import { serversCheck } from './checks/servers.ts';
import { stopsCheck } from './checks/stops.ts';
import { tasksCheck } from './checks/tasks.ts';
import { telemetryCheck } from './checks/telemetry.ts';
import { trustCheck } from './checks/trust.ts';
import type { Scene } from './scene.ts';

const CHECKS = [
  gitCheck,
  configCheck,
  trustCheck,
  tasksCheck,
  gatesCheck,
  heldOutInScene,
  agentsCheck,
  serversCheck,
  hooksCheck,
  machineCheck,
  boxCheck,
  foldersCheck,
  locksCheck,
  journalCheck,
  recordsCheck,
  stopsCheck,
  detectorsCheck,
  chatsCheck,
  telemetryCheck,
  ralphGoldCheck,
];

export async function runChecks(scene: Scene): Promise<DoctorFinding[]> {
  return (await Promise.all(CHECKS.map(({ run }) => run(scene)))).flat();
}
