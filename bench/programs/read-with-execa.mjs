// The same file through execa with its defaults: the output is in one string at the end.
import { execa } from 'execa';

const start = performance.now();
const { stdout } = await execa('cat', [process.argv[2]]);
process.stdout.write(JSON.stringify({ ms: performance.now() - start, bytes: stdout.length + 1 }));
