import { spawnSync } from 'node:child_process';
import { delimiter, join } from 'node:path';

/**
 * Returns shell text for the front of a command, so that it finds the first program of this name that works here: a
 * program of a version manager doesn't work with another home folder. Empty if the usual one works, or none does.
 */
export function pathToWorking(program: string): string {
  const folders = (process.env.PATH ?? '').split(delimiter).filter((folder) => folder.startsWith('/'));
  const works = (folder: string) =>
    spawnSync(join(folder, program), ['--version'], {
      env: { ...process.env, PATH: `${folder}${delimiter}${process.env.PATH}` },
    }).status === 0;
  if (spawnSync(program, ['--version']).status === 0) return '';
  const folder = folders.find(works);
  return folder === undefined ? '' : `PATH='${folder}':"$PATH" `;
}
