/**
 * A program that replaces an index by one in which a file has its current times with the content of HEAD, so that git
 * sees no change: `node forge.mjs FILE INDEX`.
 */
export const FORGE_INDEX = `
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync, renameSync, utimesSync, writeFileSync } from 'node:fs';
const [file, index] = process.argv.slice(2);
const forged = index + '.forged';
const git = (...args) =>
  spawnSync('git', ['-c', 'core.splitIndex=false', ...args], { env: { ...process.env, GIT_INDEX_FILE: forged }, stdio: 'inherit' });
// Git reads a file again that is younger than its index.
utimesSync(file, 1e9, 1e9);
git('read-tree', 'HEAD');
git('rm', '-rq', '--cached', '.ralph');
git('add', file);
git('update-index', '-q', '--refresh');
// The entry: 40 bytes of stamps, the content's id, flags, the name.
const bytes = readFileSync(forged);
const entry = bytes.indexOf(file + '\\0') - 62;
Buffer.from(spawnSync('git', ['rev-parse', 'HEAD:' + file]).stdout.toString().trim(), 'hex').copy(bytes, entry + 40);
createHash('sha1').update(bytes.subarray(0, -20)).digest().copy(bytes, bytes.length - 20);
writeFileSync(forged, bytes);
renameSync(forged, index);
`;
