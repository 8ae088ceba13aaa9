import type { LoopEvent } from '../domain/loop-event.ts';
import { runPrinter, terminalOf } from '../io/ui/index.ts';
import type { Call } from './call.ts';

/** What shows a run while it is active; with `--format json` nothing but the final document is printed. */
export function livePrinter({ format, color, quiet }: Call, stream: boolean, isLasting = true) {
  const silent = format === 'json';
  const printer = runPrinter({
    terminal: terminalOf(process.stdout, !color),
    ...{ stream: process.stdout, quiet, words: stream },
    isLasting,
  });
  let waiting = false;
  const emit = (event: LoopEvent, taskId?: string) => {
    waiting = (event.kind === 'waiting' && event.working === 0) || event.kind === 'paused';
    if (!silent) printer.emit(event, taskId);
  };
  const note = (message: string) => {
    if (!silent) printer.emit({ kind: 'warning', message });
  };
  const onStop = (which: 'polite' | 'forced' | 'unfinished') => {
    if (which === 'unfinished') note('Ended before everything was saved. The next `ralph run` completes it.');
    else if (waiting) note('Stopping: nothing is running, everything is saved.');
    else if (which === 'forced') note('Ending it now.');
    else
      note(
        'Stopping: what is at work is asked to end, then everything is saved. Press Ctrl-C again to end it now.',
      );
  };
  return { emit, note, onStop, hide: printer.hide, dispose: printer.dispose };
}
