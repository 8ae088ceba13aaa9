import { Box, type Instance, render, Text } from 'ink';
import { createElement } from 'react';

/** No line is broken at the right edge, whatever width the terminal gives its signs; and as it was before. */
const NO_WRAP = '\u001b[?7l';
const WRAP = '\u001b[?7h';
/** Everything on the screen goes, and nothing of what was scrolled away. */
const CLEAR = '\u001b[2J\u001b[H';
/** Frames a second at most. */
const MOST_FRAMES = 30;

export type Drawing = {
  /** Shows these lines; only those that changed are written. */
  readonly draw: (lines: readonly string[]) => void;
  /** The terminal has another size: the whole is drawn anew. */
  readonly redraw: (lines: readonly string[]) => void;
  /** Leaves the last frame where it is, the cursor below it, and the terminal as it was. */
  readonly end: () => void;
};

/** Draws frames on a terminal by Ink, which writes the lines that changed. */
export function openDrawing(stdout: NodeJS.WriteStream, lines: readonly string[]): Drawing {
  stdout.write(NO_WRAP);
  let shown = begin(stdout, lines);
  return {
    draw: (next) => shown.ink.rerender(frame(next)),
    redraw: (next) => {
      // What Ink knows of the screen isn't so any more: it begins again.
      shown.mute();
      shown.ink.unmount();
      stdout.write(CLEAR);
      shown = begin(stdout, next);
    },
    end: () => {
      shown.ink.unmount();
      stdout.write(WRAP);
    },
  };
}

function begin(stdout: NodeJS.WriteStream, lines: readonly string[]): { ink: Instance; mute: () => void } {
  let isMuted = false;
  const nothing = () => output;
  /** The terminal without its events: Ink would clear lines when its size changes. */
  const output: NodeJS.WriteStream = Object.create(stdout, {
    write: {
      value: (text: string, ...rest: unknown[]) => {
        if (!isMuted) return stdout.write(text, ...(rest as []));
        for (const one of rest) if (typeof one === 'function') one();
        return true;
      },
    },
    on: { value: nothing },
    off: { value: nothing },
  });
  const ink = render(frame(lines), {
    ...{ stdout: output, incrementalRendering: true, maxFps: MOST_FRAMES },
    ...{ exitOnCtrlC: false, patchConsole: false },
  });
  return {
    ink,
    mute: () => {
      isMuted = true;
    },
  };
}

function frame(lines: readonly string[]) {
  return createElement(
    Box,
    { flexDirection: 'column', height: lines.length },
    ...lines.map((line, at) =>
      createElement(
        Box,
        { key: at, height: 1, flexShrink: 0 },
        createElement(Text, { wrap: 'truncate-end' }, line === '' ? ' ' : line),
      ),
    ),
  );
}
