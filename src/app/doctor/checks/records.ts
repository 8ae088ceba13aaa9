import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { counted } from 'ralph-kit/counted';
import { namesIn, readPlainFile } from 'ralph-kit/files/plain-file';
import { firstFew } from 'ralph-kit/text';
import { tryOr } from 'ralph-kit/try-or';
import { check, type DoctorFinding, info, ok, sizeText, warning } from '../check.ts';

const SET_ASIDE = /\.(damaged|edited|found)-\d{8}T\d{6}Z(-\d+)?$/;
const DOCUMENTS = [
  'state.json',
  'metrics.json',
  'lessons.json',
  'interventions/events.json',
  'interventions/profile.json',
];
/** Maximum number of files in `.ralph/runs` that are counted. A larger folder is reported as large in any case. */
const MOST_FILES = 200_000;
/** Size of `.ralph/runs` in bytes from which on it is reported. */
const LARGE_RUNS = 2 * 1024 * 1024 * 1024;

export const recordsCheck = check({
  gather: ({ records: dir }) => {
    return {
      /** Damaged documents, as paths relative to `.ralph`. */
      damaged: DOCUMENTS.filter((path) => isDamaged(join(dir, path))),
      setAside: ['', 'interventions'].flatMap((sub) =>
        namesIn(join(dir, sub))
          .filter((name) => SET_ASIDE.test(name))
          .map((name) => join(sub, name)),
      ),
      runs: { count: namesIn(join(dir, 'runs')).length, bytes: bytesOf(join(dir, 'runs')) },
    };
  },
  judge: ({ damaged, setAside, runs }) => {
    const findings: DoctorFinding[] = [];
    if (damaged.length > 0) {
      const title = `${counted(damaged.length, 'document')} cannot be read`;
      const fix = 'The next run keeps the damaged file and makes it anew from the journal.';
      findings.push(warning('state.damaged', title, firstFew(damaged), fix));
    }
    if (setAside.length > 0) {
      const title = `${counted(setAside.length, 'file')} set aside`;
      const fix = 'Check them, then remove what you do not need.';
      findings.push(info('state.set_aside', title, firstFew(setAside), fix));
    }
    const title = `${counted(runs.count, 'run')}, ${sizeText(runs.bytes)}`;
    const detail = 'prompts, outputs and patches; nothing else needs them';
    const large = runs.bytes > LARGE_RUNS;
    findings.push(
      large
        ? info('state.runs', title, detail, 'Remove the oldest folders under .ralph/runs.')
        : ok('state.runs', title),
    );
    return findings;
  },
});

function isDamaged(path: string): boolean {
  return tryOr(false, () => {
    const file = readPlainFile(path);
    if (file.kind === 'absent') return false;
    if (file.kind !== 'file') return true;
    return tryOr(true, () => typeof JSON.parse(file.bytes.toString('utf8')) !== 'object');
  });
}

function bytesOf(folder: string): number {
  let bytes = 0;
  let left = MOST_FILES;
  const walk = (at: string): void => {
    for (const entry of tryOr([], () => readdirSync(at, { withFileTypes: true }))) {
      if (left <= 0) return;
      left -= 1;
      const path = join(at, entry.name);
      if (entry.isDirectory()) walk(path);
      else if (entry.isFile()) bytes += tryOr(0, () => statSync(path).size);
    }
  };
  walk(folder);
  return bytes;
}
