import { bazel, cmake } from './c/project.ts';
import { dart } from './dart/project.ts';
import { dotnet } from './dotnet/project.ts';
import { elixir } from './elixir/project.ts';
import { goProject } from './go/project.ts';
import { haskell } from './haskell/project.ts';
import { gradle, maven } from './java/project.ts';
import { denoProject, node } from './node/project.ts';
import { php } from './php/project.ts';
import type { Project } from './project.ts';
import { python } from './python/project.ts';
import { ruby } from './ruby/project.ts';
import { rust } from './rust/project.ts';
import { scala } from './scala/project.ts';
import { swift } from './swift/project.ts';
import { zig } from './zig/project.ts';

export const PROJECTS: readonly Project[] = [
  ...[
    node,
    denoProject,
    python,
    goProject,
    rust,
    gradle,
    maven,
    elixir,
    php,
    dotnet,
    ruby,
    swift,
    dart,
    scala,
    zig,
  ],
  ...[haskell, cmake, bazel],
];
