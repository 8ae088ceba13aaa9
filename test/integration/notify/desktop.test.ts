/** @module-tag rest */

import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { Config } from '../../../src/domain/config.ts';
import type { Notification } from '../../../src/domain/notification.ts';
import { systemClock } from '../../../src/io/clock.ts';
import { NO_CHATS } from '../../../src/io/notify/channel.ts';
import { openNotify } from '../../../src/io/notify/index.ts';
import { temporaryFolder } from '../../helpers/repository.ts';

/** Notifications that run nothing of the repository need no box. */
const NO_BOX = { box: null, runsRepository: () => false, sentFile: null, chats: NO_CHATS };

const PATH = process.env.PATH;
afterEach(() => {
  process.env.PATH = PATH;
});

const TASKS = { total: 3, done: 1, unverified: 0, blocked: 0, open: 2 };
const lasting = (minutes: number): Notification['result'] => ({
  ...{ ending: 'stopped', exitCode: 3, tasks: TASKS, iterations: 1, durationMs: minutes * 60_000 },
});
const END: Notification = {
  ...{ kind: 'run_finished', at: '2026-05-01T10:00:00.500Z', run: 'r-1', taskId: null, incident: null },
  ...{ severity: 'warning', title: '1 of 3 done <b>', text: 'It\'s "over" & $(done)\n-- next', next: [] },
  result: lasting(6),
  waits: null,
};
const INCIDENT: Notification = { ...END, kind: 'emergency_stop', severity: 'critical', result: null };

type Place = {
  readonly desktop?: boolean;
  readonly env?: NodeJS.ProcessEnv;
  readonly atTerminal?: boolean;
  /** What the program does beside writing its arguments down; `null`: there is none. */
  readonly program?: string | null;
};

/** What the program of the desktop was called with; `null`: it wasn't. */
async function shown(one: Notification, place: Place = {}): Promise<string[] | null> {
  const { desktop, env = { DISPLAY: ':7' }, atTerminal = true, program = '' } = place;
  const [root, bin] = [temporaryFolder(), temporaryFolder()];
  const path = join(bin, process.platform === 'darwin' ? 'osascript' : 'notify-send');
  if (program !== null) {
    writeFileSync(path, `#!/bin/sh\nprintf '%s\\0' "$@" > "${bin}/arguments"\n${program}\n`);
    chmodSync(path, 0o755);
  }
  process.env.PATH = `${bin}:/usr/bin:/bin`;
  const settings = {
    ...Config.parse({}).notify,
    timeout: 2,
    tries: 1,
    ...(desktop === undefined ? {} : { desktop }),
  };
  const given = { PATH: process.env.PATH, ...env };
  const notify = openNotify({
    settings,
    ofStops: [],
    clock: systemClock(),
    root,
    env: given,
    atTerminal,
    ...NO_BOX,
  });
  for (const delivery of await notify.send(one))
    expect(delivery).toMatchObject({ ok: true, channel: 'desktop' });
  const file = join(bin, 'arguments');
  return existsSync(file) ? readFileSync(file, 'utf8').split('\0').slice(0, -1) : null;
}

describe.runIf(process.platform === 'linux')('the desktop', () => {
  it('shows the notification; nothing in its texts acts', async () => {
    expect(await shown(END)).toEqual([
      ...['--app-name=ralph', '--urgency=normal', '--', 'ralph: 1 of 3 done <b>'],
      'It\'s "over" &amp; $(done)\n-- next',
    ]);
    expect(await shown(INCIDENT, { desktop: true })).toContain('--urgency=critical');
  });

  it.each<[string, Notification, Place, boolean]>([
    ['a long run on a terminal', END, {}, true],
    ['a long run under Wayland', END, { env: { WAYLAND_DISPLAY: 'wayland-0' } }, true],
    ['a short run', { ...END, result: lasting(4) }, {}, false],
    ['a short run, asked for', { ...END, result: lasting(0) }, { desktop: true }, true],
    ['a long run without a terminal', END, { atTerminal: false }, false],
    ['the same, asked for', END, { atTerminal: false, desktop: true }, true],
    ['a long run, not wanted', END, { desktop: false }, false],
    ['an incident', INCIDENT, {}, false],
    ['no display', END, { desktop: true, env: {} }, false],
    ['an empty display', END, { desktop: true, env: { DISPLAY: '' } }, false],
    ['no program', END, { desktop: true, program: null }, false],
  ])('%s', async (_what, one, place, expected) => {
    expect((await shown(one, place)) !== null).toBe(expected);
  });
});
