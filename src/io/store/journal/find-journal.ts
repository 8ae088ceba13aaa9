import { readPlainFile } from '../../files/plain-file.ts';
import type { Key } from '../home/key.ts';
import type { StorePaths } from '../store-paths.ts';
import type { ChainEnd } from './chain.ts';
import { readCopy } from './journal-copy.ts';
import type { FoundJournal } from './judge-journal.ts';
import { type Chain, readChain } from './read-chain.ts';

/** A journal is sealed at 512 KiB and a snapshot of the state, so more is not ralph's. In bytes. */
export const MAX_JOURNAL = 64 * 1024 * 1024;

/** With the bytes, where it is a file that can be read. */
export type Found = FoundJournal & { readonly bytes: Buffer };

/** Reads what stands in the place of the journal; links aren't followed. @throws The Node error when it can't be read. */
export function findJournal(paths: StorePaths, key: Key | null, newest: ChainEnd | null): Found {
  const none = Buffer.alloc(0);
  const file = readPlainFile(paths.journal, MAX_JOURNAL);
  if (file.kind === 'absent') return { kind: 'absent', bytes: none };
  if (file.kind === 'link') return { kind: 'other', what: `a symbolic link to ${file.target}`, bytes: none };
  if (file.kind === 'other') return { kind: 'other', what: file.what, bytes: none };
  const { bytes } = file;
  const chain = key === null ? null : readChain(bytes, key, paths.place, newest);
  return { kind: 'file', bytes, isEmpty: bytes.length === 0, chain };
}

/** Of the journal as it was found and its copy, whichever holds more of what ralph wrote. */
export function bestChain(paths: StorePaths, key: Key, found: Buffer, newest: ChainEnd | null) {
  const read = (bytes: Buffer): { readonly chain: Chain; readonly bytes: Buffer } => {
    const chain = readChain(bytes, key, paths.place, newest);
    return { chain, bytes: bytes.subarray(0, chain.size) };
  };
  const [file, copy] = [read(found), read(readCopy(paths.copy, MAX_JOURNAL))];
  return copy.chain.seq > file.chain.seq ? copy : file;
}
