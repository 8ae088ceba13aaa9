import type { Reading, Runner } from '../protocol.ts';
import { counts, ownPlace, startedAs } from '../reading.ts';

/** Reads `● name › 0.1ms`; ` PASS › 0   FAIL › 1   SKIP › 1` counts files, and empty ones as passed. */
export const poku: Runner = { name: 'poku', isDistinct: true, read, starts: startedAs('poku') };

function read(lines: readonly string[], whole: boolean): Reading | null {
  if (!lines.some((line) => /^ PASS › \d+ +FAIL › \d+/.test(line))) return null;
  // Failing files are printed again below the first rule.
  const rule = lines.findIndex((line) => /^─{10,}$/.test(line));
  const first = lines.slice(0, rule < 0 ? undefined : rule);
  const passing: string[] = [];
  const failing: string[] = [];
  const places: { test: string; place: string }[] = [];
  const files = new Set<string>();
  let skipped = 0;
  let file = '';
  let block: string[] = [];
  for (const line of first) {
    const ended = /^ +● (.+?) › [\d.]+m?s$/.exec(line)?.[1];
    if (/^› \S/.test(line)) {
      file = /^› (.+?) › /.exec(line)?.[1] ?? '';
      block = [];
    } else if (/^ +◯ /.test(line)) skipped += 1;
    else if (ended === undefined) block.push(line);
    else {
      const isRed = block.some((one) => /^ +✘ /.test(one));
      (isRed ? failing : passing).push(ended);
      const place = isRed ? block.flatMap((one) => ownPlace(one) ?? [])[0] : undefined;
      if (isRed) files.add(file);
      if (place !== undefined) places.push({ test: ended, place });
      block = [];
    }
  }
  const red = lines.flatMap((line) => /^\d+\) (\S.*)$/.exec(line)?.[1] ?? []);
  const notLoaded = red.filter((one) => !files.has(one));
  const known = whole && passing.length + failing.length + skipped > 0;
  return {
    tests: known ? counts(passing.length, failing.length, skipped) : null,
    failing,
    passing,
    places,
    ...(notLoaded.length === 0 ? {} : { notLoaded }),
  };
}
