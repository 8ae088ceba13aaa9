import { join } from 'node:path';
import type { JournalRecord } from '../../../domain/records/journal.ts';
import { readPlainFile } from '../files/plain-file.ts';
import { readJournalLines } from './journal-lines.ts';
import { listSegments, readSegment } from './segments.ts';

/**
 * The records of the journal in a `.ralph` folder, from the part on that holds the start of the run; none of them when
 * no part does. Nothing is written or repaired; what is damaged is left out.
 */
export function readRunRecords(folder: string, run: string): readonly JournalRecord[] {
  const journal = readPlainFile(join(folder, 'journal.jsonl'));
  const parts = [journal.kind === 'file' ? readJournalLines(journal.bytes).records : []];
  const segments = listSegments(join(folder, 'journal'));
  while (!holdsStart(parts[0] ?? [], run)) {
    const segment = segments.pop();
    if (segment === undefined) return [];
    const bytes = readSegment(segment.path);
    parts.unshift(bytes === null ? [] : readJournalLines(bytes).records);
  }
  const records: JournalRecord[] = [];
  // A crash can leave a record in two parts.
  for (const record of parts.flat()) if (record.seq > (records.at(-1)?.seq ?? 0)) records.push(record);
  return records;
}

function holdsStart(records: readonly JournalRecord[], run: string): boolean {
  return records.some((record) => record.type === 'run_started' && record.run === run);
}
