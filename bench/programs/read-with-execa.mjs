// Reads a program's output through execa with its defaults, which give all output as one string at the end; with
// `parse`, each line is also parsed as JSON.
import { execa } from 'execa';

const [file, also] = process.argv.slice(2);
// The first program of a process takes longer, so it isn't measured.
await execa('true');
const start = performance.now();
const { stdout } = await execa('cat', [file]);
if (also === 'parse') for (const line of stdout.split('\n')) JSON.parse(line);
process.stdout.write(JSON.stringify({ ms: performance.now() - start, bytes: stdout.length + 1 }));
