// Loaded into a program with --require: at its end it writes the most memory it had, in KiB, to $MEMORY_FILE.
// VmHWM, since the figure of getrusage also holds what the parent had before the start.
const { readFileSync, writeFileSync } = require('node:fs');

process.on('exit', () => {
  const peak = /^VmHWM:\s+(\d+)/m.exec(readFileSync('/proc/self/status', 'utf8'));
  writeFileSync(process.env.MEMORY_FILE, peak?.[1] ?? '');
});
