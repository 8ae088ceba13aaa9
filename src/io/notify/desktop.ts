import { ownProgram } from 'ralph-kit/programs/start/own-program';
import { shellQuote } from 'ralph-kit/shell-quote';
import type { Notification } from '../../domain/notification.ts';
import type { Channel, NotifyOptions } from './channel.ts';
import type { RunShell } from './run-shell.ts';

/**
 * Milliseconds of a run from which its end is shown on the desktop unless you set it otherwise: you may be doing
 * something else by then.
 */
const LONG_RUN_MS = 5 * 60_000;

/**
 * Sends notifications to the desktop, where there is one. They are a convenience, so a failure is never an
 * error.
 */
export function desktopChannel(shell: RunShell, options: NotifyOptions): Channel | null {
  const { desktop } = options.settings;
  const command = desktop === false ? null : commandFor(options);
  if (command === null) return null;
  return {
    name: 'desktop',
    wants: (notification) =>
      desktop === true ||
      (options.atTerminal && notification.result !== null && notification.result.durationMs >= LONG_RUN_MS),
    attempt: async (notification) => {
      await shell({ command: command(notification), name: 'the desktop', input: '' });
      return { ok: true };
    },
  };
}

/**
 * Texts are passed as arguments of the command, never as AppleScript, and are escaped where they are read as
 * markup.
 */
function commandFor({ env, root }: NotifyOptions): ((notification: Notification) => string) | null {
  if (process.platform === 'darwin') {
    const program = pathOf('osascript', root);
    if (program === null) return null;
    const script = 'display notification (item 2 of argv) with title (item 1 of argv)';
    return ({ title, text }) =>
      line([program, '-e', 'on run argv', '-e', script, '-e', 'end run', '--', headOf(title), text]);
  }
  if ((env.DISPLAY ?? '') === '' && (env.WAYLAND_DISPLAY ?? '') === '') return null;
  const program = pathOf('notify-send', root);
  if (program === null) return null;
  return ({ title, text, severity }) => {
    const urgency = severity === 'critical' ? 'critical' : 'normal';
    return line([
      program,
      '--app-name=ralph',
      `--urgency=${urgency}`,
      '--',
      headOf(title),
      text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;'),
    ]);
  };
}

function pathOf(name: string, root: string): string | null {
  const found = ownProgram(name, root);
  return found.kind === 'found' ? found.path : null;
}

function line(words: readonly string[]): string {
  return words.map((word) => shellQuote(word.replaceAll('\0', ''))).join(' ');
}

function headOf(title: string): string {
  return title.startsWith('ralph: ') ? title : `ralph: ${title}`;
}
