import { byFile, testGate } from '../project.ts';
import type { Project } from '../protocol.ts';

/** Programs that succeed with any arguments. */
const IDLE = String.raw`(?:\/(?:usr\/)?bin\/)?(?:true|:|echo|printf|cat|ls)`;

export const rust: Project = {
  name: 'rust',
  detect: byFile(['Cargo.toml'], () => [
    { kind: 'lint', name: 'clippy', run: 'cargo clippy --all-targets -- -D warnings', tool: 'clippy' },
    { kind: 'format', name: 'fmt', run: 'cargo fmt --all --check', tool: 'fmt' },
    testGate('cargo', 'cargo test'),
  ]),
  settings: [
    {
      programs: /^cargo$/,
      files: ['.cargo/config.toml', '.cargo/config'],
      part: null,
      vacuous: new RegExp(String.raw`^\s*runner\s*=\s*\[?\s*["']${IDLE}["' ]`, 'm'),
      why: 'has tests run by a program that always ends well',
    },
  ],
};
