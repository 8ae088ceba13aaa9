import { join } from 'node:path';
import type { Box } from 'ralph-box';
import { runsRepository } from '../../decide/index.ts';
import { openNotify } from '../../io/notify/index.ts';
import { openGateFiles } from '../../io/proc/gate-files.ts';
import { chatSettings } from './chat-secrets.ts';
import { placeOf } from './state-home.ts';
import type { Workspace } from './workspace.ts';

/** Opens the channels of `[notify]`, with the record of messages that earlier runs of this work tree sent. */
export function notifyOf(
  { root, config, clock, stateHome, gitDir, commonDir }: Workspace,
  box: Box | null,
): ReturnType<typeof openNotify> {
  const { env } = process;
  return openNotify({
    settings: config.notify,
    ofStops: config.interventions.notification_channels,
    clock,
    root,
    env,
    box,
    runsRepository: ownCommands(root, env),
    atTerminal: process.stdout.isTTY === true,
    chats: chatSettings(config),
    sentFile: join(stateHome, placeOf({ gitDir, commonDir }), 'sent.json'),
  });
}

/** Returns a test for command lines that run a file of the repository's checkout. */
function ownCommands(root: string, env: NodeJS.ProcessEnv): (command: string) => boolean {
  const files = openGateFiles({ root, env, at: (path) => path });
  return (command) => runsRepository(command, root, files);
}
