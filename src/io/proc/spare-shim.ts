import { type ChildProcess, spawn } from 'node:child_process';
import type { Socket } from 'node:net';
import { SHIM_SCRIPT } from './shim-script.ts';
import type { ShimTool } from './shim-tool.ts';
import { sendSignal } from './signals.ts';

export type FoundTool = Extract<ShimTool, { kind: 'found' }>;

/** A supervisor that has been started; it waits for its program (`shim-script.ts`). */
export type Shim = { readonly child: ChildProcess; readonly pid: number; readonly control: Socket };

/** How long a spare one is kept when nothing runs: the next agent starts within that time, or nothing does. */
const KEPT_MS = 2000;
/** The reserve is filled so long after a start: the program itself comes first. */
const FILL_AFTER_MS = 10;

/**
 * Keeps one supervisor in reserve while a program runs, so that the next one need not wait for it. It ends with
 * ralph, however that ends, and does not hold ralph up.
 */
export type SpareShim = {
  /** The one in reserve, or a new one; `null` when the system refuses. */
  readonly take: (tool: FoundTool) => Shim | null;
  /** A program has started: the reserve is filled until `release` is called. */
  readonly hold: (tool: FoundTool) => void;
  readonly release: () => void;
};

export function spareShim(): SpareShim {
  let spare: { readonly shim: Shim; readonly tool: FoundTool } | null = null;
  let holders = 0;
  let filling: NodeJS.Timeout | undefined;
  let dismissal: NodeJS.Timeout | undefined;

  function fill(tool: FoundTool): void {
    filling = undefined;
    const shim = startShim(tool);
    if (shim === null) return;
    shim.child.unref();
    shim.control.unref();
    spare = { shim, tool };
  }

  function dismiss(): void {
    spare?.shim.control.destroy();
    spare = null;
  }

  return {
    take: (tool) => {
      // Filling now would only be in the way of the start.
      clearTimeout(filling);
      filling = undefined;
      const kept = spare;
      spare = null;
      if (kept === null) return startShim(tool);
      const { child, control, pid } = kept.shim;
      if (kept.tool.perl !== tool.perl || child.exitCode !== null || child.signalCode !== null) {
        control.destroy();
        return startShim(tool);
      }
      child.ref();
      control.ref();
      // The agent before may have stopped it.
      sendSignal(pid, 'SIGCONT');
      return kept.shim;
    },
    hold: (tool) => {
      holders += 1;
      clearTimeout(dismissal);
      if (spare !== null || filling !== undefined) return;
      filling = setTimeout(fill, FILL_AFTER_MS, tool).unref();
    },
    release: () => {
      holders -= 1;
      if (holders > 0) return;
      dismissal = setTimeout(dismiss, KEPT_MS).unref();
    },
  };
}

function startShim(tool: FoundTool): Shim | null {
  try {
    const child = spawn(tool.perl, ['-e', SHIM_SCRIPT, String(tool.prctl)], {
      cwd: '/',
      // The person's locale and PERL5OPT are for the agent, not for the supervisor.
      env: { LC_ALL: 'C' },
      stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
      detached: true,
    });
    // Without a process number it did not start; with one, its end is noticed by itself.
    child.on('error', () => undefined);
    if (child.pid === undefined) return null;
    const control = child.stdio[3] as Socket;
    // A write to a supervisor that has just ended fails: its end is noticed by itself.
    control.on('error', () => undefined);
    return { child, pid: child.pid, control };
  } catch {
    return null;
  }
}
