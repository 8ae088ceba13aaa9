import { blockedCommand } from './blocked.ts';
import { checkpointsCommand } from './checkpoints.ts';
import { demoCommand } from './demo.ts';
import { doctorCommand } from './doctor.ts';
import { explainCommand } from './explain.ts';
import { feedbackCommand } from './feedback.ts';
import { incidentsCommand } from './incidents.ts';
import { initCommand } from './init.ts';
import { interventionsCommand } from './interventions.ts';
import { logsCommand } from './logs.ts';
import { metricsCommand } from './metrics.ts';
import { profileCommand } from './profile.ts';
import { promptCommand } from './prompt.ts';
import { replayCommand } from './replay.ts';
import { resumeCommand } from './resume.ts';
import { retryBlockedCommand } from './retry-blocked.ts';
import { rollbackCommand } from './rollback.ts';
import { runCommand, stepCommand } from './run.ts';
import { statusCommand } from './status.ts';
import { tasksCommand } from './tasks.ts';
import { trustCommand } from './trust.ts';
import { unblockCommand } from './unblock.ts';

/** Each adds a command to the program, in the order of `ralph --help`. */
export const COMMANDS = [
  runCommand,
  stepCommand,
  demoCommand,
  initCommand,
  feedbackCommand,
  statusCommand,
  tasksCommand,
  explainCommand,
  promptCommand,
  blockedCommand,
  unblockCommand,
  retryBlockedCommand,
  interventionsCommand,
  profileCommand,
  logsCommand,
  checkpointsCommand,
  rollbackCommand,
  incidentsCommand,
  resumeCommand,
  metricsCommand,
  replayCommand,
  doctorCommand,
  trustCommand,
];
