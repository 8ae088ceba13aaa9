import { bazel, cmake } from './c/project.ts';
import { dart } from './dart/project.ts';
import { dotnet } from './dotnet/project.ts';
import { goProject } from './go/project.ts';
import { gradle, maven } from './java/project.ts';
import { denoProject, node } from './node/project.ts';
import { php } from './php/project.ts';
import { byFile, testGate } from './project.ts';
import type { Project } from './protocol.ts';
import { python } from './python/project.ts';
import { ruby } from './ruby/project.ts';
import { rust } from './rust/project.ts';

export const PROJECTS: readonly Project[] = [
  node,
  denoProject,
  python,
  goProject,
  rust,
  gradle,
  maven,
  withOneCommand('elixir', 'mix.exs', 'mix', 'mix test'),
  php,
  dotnet,
  ruby,
  withOneCommand('swift', 'Package.swift', 'swift', 'swift test'),
  dart,
  withOneCommand('scala', 'build.sbt', 'sbt', 'sbt test'),
  withOneCommand('zig', 'build.zig', 'zig', 'zig build test'),
  withOneCommand('haskell', 'stack.yaml', 'stack', 'stack test'),
  cmake,
  bazel,
];

/** Returns a project that one file shows and one command tests. */
function withOneCommand(name: string, file: string, tool: string, run: string): Project {
  return { name, detect: byFile([file], () => [testGate(tool, run)]) };
}
