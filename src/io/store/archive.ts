import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { replaceFile } from '../files/atomic-file.ts';
import { orStoreError } from '../files/store-error.ts';
import { freeName } from './set-aside.ts';

const ARCHIVE = 'interventions/archive';

/**
 * Keeps a document, gzip, under `.ralph/interventions/archive/`; an archive of the same moment gets a number.
 *
 * @param dir Absolute path of `.ralph`.
 * @param now ISO 8601 UTC, part of the name.
 * @returns The path relative to `.ralph`.
 * @throws StoreError when it cannot be written; then nothing may be reset.
 */
export function archiveEvents(dir: string, content: string, now: string): string {
  const stamp = now.replace(/\.\d+/, '').replace(/[-:]/g, '');
  return orStoreError('The events cannot be archived', () => {
    const wanted = `${ARCHIVE}/events-${stamp}.json.gz`;
    const path = freeName(dir, wanted);
    replaceFile(join(dir, path), gzipSync(content), { folderMode: 0o777 });
    return path;
  });
}
