/** Programs that work on anything calls: looking around, version control, tests, builds, packages. */
const PROGRAMS = new Set(
  (
    'ls cat head tail less more grep egrep rg ag find fd sed awk sort uniq wc cut tr diff cmp tree stat file du df pwd ' +
    'cd echo printf which type env export set true false sleep date test mkdir touch chmod xargs tee jq ps kill wait ' +
    'source time timeout nproc uname whoami command ' +
    'git gh hg svn jj ' +
    'npm npx pnpm yarn bun bunx deno corepack tsc eslint prettier biome vitest jest mocha playwright cypress turbo nx ' +
    'pip pip3 pipx poetry uv uvx tox nox pytest ruff mypy black flake8 pyright coverage pre-commit hatch ' +
    'cargo rustc rustup go gofmt golangci-lint make cmake ninja ctest gcc clang mvn mvnw gradle gradlew javac dotnet ' +
    'bundle rake rspec rubocop gem composer phpunit mix rebar3 swift xcodebuild zig nix docker docker-compose'
  ).split(' '),
);

/**
 * Whether a command line is of the everyday kind, which goes with any task: all of its programs are. Read by words
 * alone, without a shell's care: routine only means that it doesn't count against the agent.
 */
export function isRoutine(command: string): boolean {
  const parts = command.split(/&&|\|\||[;|&\n]|\$\(/).map((part) => part.trim());
  return parts.filter((part) => part !== '').every(isRoutinePart);
}

function isRoutinePart(part: string): boolean {
  const words = part.split(/\s+/).filter((word) => !/^\w+=|^[({]|^\d?[<>]/.test(word));
  const program = words[0]?.replace(/^.*\//, '') ?? '';
  if (/^(?:python3?|node|ruby|perl)$/.test(program))
    return /^(?:-m|--test|--version|-V|-v)$/.test(words[1] ?? '');
  return program === '' || PROGRAMS.has(program);
}
