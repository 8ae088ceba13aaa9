import { BOUNDS, HEAD, KEEPS, RIGHT } from './clamp-project.ts';
import { type Project, projectAt } from './cli.ts';
import { makeRepository } from './repository.ts';

/** Makes a repository in which ralph never ran. */
export function strange(files: Readonly<Record<string, string>> = {}) {
  return projectAt(
    makeRepository({
      'package.json': '{ "type": "module", "scripts": { "test": "node --test" } }\n',
      'src/clamp.js': 'export const clamp = (x, low, high) => x;\n',
      'test/clamp.test.js': HEAD + KEEPS,
      ...files,
    }).root,
  );
}

/** Writes files and commits them; returns the commit's id. */
export function commit(project: Project, message: string, files: Readonly<Record<string, string>>): string {
  for (const [name, text] of Object.entries(files)) project.write(name, text);
  return project.commitAll(message);
}

/** Files of a change whose effect a test shows. */
export const FIX = { 'src/clamp.js': RIGHT, 'test/clamp.test.js': HEAD + KEEPS + BOUNDS };
