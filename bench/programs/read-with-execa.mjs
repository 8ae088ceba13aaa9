// The same file through execa with its defaults, where the output is in one string at the end; with `parse`, each
// line of it as JSON besides.
import { execa } from 'execa';

const [file, also] = process.argv.slice(2);
// What only the first program of a process pays is left out.
await execa('true');
const start = performance.now();
const { stdout } = await execa('cat', [file]);
if (also === 'parse') for (const line of stdout.split('\n')) JSON.parse(line);
process.stdout.write(JSON.stringify({ ms: performance.now() - start, bytes: stdout.length + 1 }));
