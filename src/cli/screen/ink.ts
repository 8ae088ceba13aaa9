import { Box, type Instance, render, Text } from 'ink';
import { createElement } from 'react';

/** Turns line wrapping off. Terminals may differ in the width of a character, so no line may wrap. */
const NO_WRAP = '\u001b[?7l';
const WRAP = '\u001b[?7h';
/** Clears the screen without the lines above it. */
const CLEAR = '\u001b[2J\u001b[H';
const MOST_FRAMES = 30;

export type Drawing = {
  /** Writes the lines that changed. */
  readonly draw: (lines: readonly string[]) => void;
  readonly redraw: (lines: readonly string[]) => void;
  /** Leaves the last frame on the screen, with the cursor below it, and turns line wrapping on. */
  readonly end: () => void;
};

export function openDrawing(stdout: NodeJS.WriteStream, lines: readonly string[]): Drawing {
  stdout.write(NO_WRAP);
  let shown = begin(stdout, lines);
  return {
    draw: (next) => shown.ink.rerender(frame(next)),
    redraw: (next) => {
      // After a change of size, Ink's own record of the screen is wrong, so a new instance is started.
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
  /** The terminal without its resize events, on which Ink would clear lines. */
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
    stdout: output,
    incrementalRendering: true,
    maxFps: MOST_FRAMES,
    exitOnCtrlC: false,
    patchConsole: false,
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
