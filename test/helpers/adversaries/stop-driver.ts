// Prints what `listenForStop` reports, until it is told to continue without it. Bundled as a process of its own.
import { listenForStop } from '../../../src/io/stop-signal.ts';

const say = (text: string) => process.stdout.write(`${text}\n`);
const stop = listenForStop({
  onFirst: (reason) => say(`first ${reason} ${stop.polite.aborted} ${stop.forced.aborted}`),
  onSecond: () => say(`second ${stop.reason()} ${stop.polite.aborted} ${stop.forced.aborted}`),
  onHardEnd: () => say('hard end'),
});
process.stdin.on('data', (data) => {
  if (data.toString().includes('dispose')) {
    stop.dispose();
    say('disposed');
  } else say('alive');
});
say('ready');
