import { join } from 'node:path';
import type { Box } from 'ralph-box';
import { openNotify } from '../../io/notify/index.ts';
import { chatSettings } from './chat-secrets.ts';
import { ownCommands } from './own-commands.ts';
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
