/** @module-tag slow */

import { join } from 'node:path';
import { describe } from 'vitest';
import { gate, isHere, play, written } from '../../helpers/canary/play.ts';
import { CARGO_PROJECTS, GO, MAVEN, NODE, PYTHON, RSPEC, VITEST } from '../../helpers/canary/projects.ts';

const OWN = join(import.meta.dirname, '../../../node_modules');

describe('a canary', () => {
  play([...NODE, ...VITEST], () => OWN);
  describe.skipIf(!isHere('python3', '-m', 'pytest', '--version'))('in Python', () =>
    play(PYTHON, () => null),
  );
  describe.skipIf(!isHere('go', 'version'))('in Go', () => play(GO, () => null));
  describe.skipIf(!isHere('cargo', '--version'))('in Rust', () => play(CARGO_PROJECTS, () => null));
  describe.skipIf(!isHere('rspec', '--version'))('in Ruby', () => play(RSPEC, () => null));
  describe.skipIf(!mavenWorks())('in Java', () => play(MAVEN, () => null));
});

/** Returns whether Maven works here: without the network it has only what it fetched before. */
function mavenWorks(): boolean {
  const [project] = MAVEN;
  return (
    project !== undefined &&
    isHere('mvn', '--version') &&
    gate(written(project.files, null), project.run).status === 0
  );
}
