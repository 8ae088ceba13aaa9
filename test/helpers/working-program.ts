import { spawnSync } from 'node:child_process';
import { delimiter, join } from 'node:path';

/**
 * Shell text before a command that has it find the first program of this name that works here: one that a version manager put there
 * doesn't where the home folder is another. Empty where the usual one works, or none does.
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
