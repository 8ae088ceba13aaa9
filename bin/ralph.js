#!/usr/bin/env node
// A signal that comes while the program is loaded is answered as soon as it is there: Node would end without a word.
const signals = ['SIGHUP', 'SIGINT', 'SIGTERM'];
const seen = [];
const note = (signal) => seen.push(signal);
for (const signal of signals) process.on(signal, note);
await import('../dist/cli/start.js');
for (const signal of signals) process.off(signal, note);
for (const signal of seen) process.emit(signal, signal);
