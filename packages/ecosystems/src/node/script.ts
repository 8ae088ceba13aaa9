export type ScriptForm =
  | { readonly kind: 'as_it_is' }
  /** The script watches files in a terminal, and runs once with `CI=1`. */
  | { readonly kind: 'with_ci' }
  /** A command changed so that it neither watches nor writes files. */
  | { readonly kind: 'other'; readonly command: string }
  | { readonly kind: 'unusable'; readonly why: string };

/** Greatest depth of scripts that call each other. */
const DEEPEST = 5;

/** Whether a script is npm's "no test specified", or only prints and exits. */
export function isPlaceholder(script: string): boolean {
  if (/no tests? specified/i.test(script) || script.trim() === '') return true;
  const parts = commandsIn(script);
  return parts.some((part) => /^echo\b/.test(part)) && parts.every((part) => /^(?:echo|exit)\b/.test(part));
}

/** Returns how to run a script once, without a terminal or changes to files. */
export function formOf(script: string, others: ReadonlyMap<string, string>, depth = 0): ScriptForm {
  const commands = commandsIn(script);
  const forms = commands.map((command) => {
    const called = calledScript(command);
    const text = called === null ? undefined : others.get(called);
    return text !== undefined && depth < DEEPEST ? formOf(text, others, depth + 1) : formOfCommand(command);
  });
  const [only] = forms;
  if (commands.length === 1 && only !== undefined) {
    // A called script can't be changed from its caller.
    return only.kind === 'other' && calledScript(script) !== null
      ? { kind: 'unusable', why: whyOf(script, others) }
      : only;
  }
  const unusable = forms.find((form) => form.kind === 'unusable');
  if (unusable !== undefined) return unusable;
  const other = commands.find((_, index) => forms[index]?.kind === 'other');
  if (other !== undefined) return { kind: 'unusable', why: whyNot(other) };
  return forms.some((form) => form.kind === 'with_ci') ? { kind: 'with_ci' } : { kind: 'as_it_is' };
}

function whyOf(script: string, others: ReadonlyMap<string, string>): string {
  const called = calledScript(script);
  const text = called === null ? undefined : others.get(called);
  return text !== undefined ? whyOf(text, others) : whyNot(script);
}

function whyNot(command: string): string {
  return writes(command) ? 'changes files' : 'watches files and never ends';
}

function commandsIn(script: string): string[] {
  return script
    .split(/&&|\|\||;|\||&/)
    .map((part) => part.trim())
    .filter((part) => part !== '');
}

/** Returns the script that a command calls: `unit` for `npm run unit`. */
function calledScript(command: string): string | null {
  const match =
    /^(?:npm|pnpm|yarn|bun)\s+(?:(?:-s|--silent)\s+)*(?:run(?:-script)?\s+)?(?:(?:-s|--silent)\s+)*([\w:.@/-]+)/.exec(
      command,
    );
  const name = match?.[1] ?? null;
  return name !== null && /^(?:exec|x|dlx|--.*|-.*)$/.test(name) ? null : name === 't' ? 'test' : name;
}

const WATCHERS =
  /^(?:nodemon|tsc-watch|chokidar|ts-node-dev|watchexec|watchman-make|watch|ptw|pytest-watch(?:er)?|entr|reflex|modd|air|gow|bacon|guard|inotifywait|fswatch|(?:bundle\s+exec\s+)guard|cargo[\s-]watch|(?:dotnet|turbo|nx)\s+watch|mix\s+test\.watch|sbt\s+["']?~|cypress\s+open|vitest\s+(?:watch|dev))(?![\w-])|\s(?:--looponfail|--file-watch|--continuous)(?=\s|$)|--(?:ui|interactive)(?=\s|$)/;
const WATCH_FLAG = /\s--watch(?:-all|All)?(?:[=\s]true)?(?=\s|$)/g;
/** Programs whose `-w` means `--watch`. */
const SHORT_WATCH = /^(?:\S+\s+)?(?:tsc|vue-tsc|mocha|ava|tsup|rollup|webpack|babel)\b/;

function formOfCommand(given: string): ScriptForm {
  const command = withoutPrefix(given);
  const strays = WATCHERS.test(command);
  const isWatching =
    command.search(WATCH_FLAG) !== -1 || (SHORT_WATCH.test(command) && /\s-w(?=\s|$)/.test(command));
  if (strays && !/^vitest\s+(?:watch|dev)\b/.test(command)) {
    return { kind: 'unusable', why: 'watches files and never ends' };
  }
  if (strays || isWatching || writes(command)) return { kind: 'other', command: once(given) };
  if (/^ng\s+test\b/.test(command) && !/--watch[=\s]false|--no-watch/.test(command))
    return { kind: 'other', command: `${given} --watch=false` };
  if (/^karma\s+start\b/.test(command) && !/--single-run/.test(command))
    return { kind: 'other', command: `${given} --single-run` };
  if (/^(?:react-scripts|craco|react-app-rewired)\s+test\b/.test(command)) return { kind: 'with_ci' };
  const isOnce = /^vitest\s+(?:run|bench|list|related|typecheck)\b|--run\b|--no-watch\b|--watch[=\s]false/;
  return /^vitest\b/.test(command) && !isOnce.test(command) ? { kind: 'with_ci' } : { kind: 'as_it_is' };
}

/** Returns a command without its prefixes: `jest` for `cross-env A=1 npx jest`. */
function withoutPrefix(command: string): string {
  return command.replace(
    /^(?:(?:[A-Za-z_]\w*=\S*|cross-env(?:-shell)?|dotenv|--|env|npx(?:\s+--?[\w-]+)*|bunx|pnpx|pnpm\s+exec|yarn\s+exec|npm\s+exec(?:\s+--)?|(?:yarn|pnpm|bun)(?:\s+run)?)\s+)+/,
    '',
  );
}

function writes(given: string): boolean {
  const command = withoutPrefix(given);
  if (/\s--(?:fix|write|apply(?:-unsafe)?|autocorrect(?:-all)?|auto-correct)(?:=true)?(?=\s|$)/.test(command))
    return true;
  return /^prettier\b/.test(command) && /\s-w(?=\s|$)/.test(command);
}

/** Returns the command without watching and writing. */
function once(given: string): string {
  let command = given
    .replace(WATCH_FLAG, '')
    .replace(/\s--(?:fix|write|apply(?:-unsafe)?|autocorrect(?:-all)?|auto-correct)(?:=true)?(?=\s|$)/g, '');
  const plain = withoutPrefix(given);
  if (SHORT_WATCH.test(plain) || /^prettier\b/.test(plain)) command = command.replace(/\s-w(?=\s|$)/g, '');
  if (/^prettier\b/.test(plain) && !/\s(?:--check|-c)(?=\s|$)/.test(command)) {
    command = command.replace(/\bprettier\b/, 'prettier --check');
  }
  if (/^vitest\b/.test(plain)) {
    command = command.replace(/\bvitest(?:\s+(?:watch|dev))?\b(?!\s+run)/, 'vitest run');
  }
  if (/^(?:vue-)?tsc\b/.test(plain) && !/--noEmit\b|\s-b\b|--build\b/.test(command)) command += ' --noEmit';
  return command.replace(/\s+/g, ' ').trim();
}
