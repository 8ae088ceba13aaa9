#!/usr/bin/env node
// As in package.json, "engines". An older Node can't load the rest, so that this comes first, in words that it knows.
const [major, minor] = process.versions.node.split('.').map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  process.stderr.write(
    `ralph needs Node 20.19 or newer, and this is Node ${process.versions.node}: install it from https://nodejs.org.\n`,
  );
  process.exit(1);
}

// A signal that comes while the program is loaded is answered as soon as it is there: Node would end without a word.
const signals = ['SIGHUP', 'SIGINT', 'SIGTERM'];
const seen = [];
const note = (signal) => seen.push(signal);
for (const signal of signals) process.on(signal, note);
await import('../dist/cli/start.js');
for (const signal of signals) process.off(signal, note);
// A command that doesn't answer signals itself has no listener by now, and ends as without this one.
for (const signal of seen) if (!process.emit(signal, signal)) process.kill(process.pid, signal);
