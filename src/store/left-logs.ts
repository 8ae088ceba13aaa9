import { closeSync, readdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { replaceFile } from 'ralph-kit/files/atomic-file';
import { openPlainFile, plainText } from 'ralph-kit/files/plain-file';
import { endLog, type HideBytes, logOfMark } from 'ralph-kit/files/raw-log';
import { movedMarks } from 'ralph-kit/programs/output/follow-file';
import { tryOr } from 'ralph-kit/try-or';

/** Hides secrets in logs whose ralph was killed before it could; nothing writes to them any more. */
export function endLeftLogs(folder: string, hide: HideBytes): void {
  for (const entry of tryOr([], () => readdirSync(folder, { withFileTypes: true }))) {
    const path = join(folder, entry.name);
    const log = logOfMark(path);
    if (entry.isDirectory()) endLeftLogs(path, hide);
    else if (log !== null) endOne(path, log, hide);
  }
}

function endOne(mark: string, log: string, hide: HideBytes): void {
  const file = tryOr(null, () => openPlainFile(log));
  if (file === null) {
    // Only the mark was written, or the log is gone.
    rmSync(mark, { force: true });
    return;
  }
  try {
    const at = endLog(log, file, hide);
    const times = join(dirname(log), 'output.times');
    const marks = log.endsWith('/output.log') ? plainText(times) : null;
    if (marks !== null) replaceFile(times, movedMarks(marks, at), { mode: 0o600, durability: 'none' });
  } finally {
    closeSync(file);
  }
}
