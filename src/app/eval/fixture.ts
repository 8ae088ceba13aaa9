import { between, logNormal, randomOf } from './random.ts';
import type { AgentModel, ModelledSuite, SuiteTask } from './suite.ts';

/** A task's seconds, and so its number of files, are the same in every arm. */
export function workOf(model: AgentModel, seed: number, { id, level }: SuiteTask) {
  const random = randomOf(seed, id, 'work');
  const factor = between(random, model.seconds.factor[level] ?? [1, 1]);
  const seconds = logNormal(random, model.seconds.median, model.seconds.spread) * factor;
  const parts = Math.max(2, Math.ceil(seconds / model.step));
  return { seconds, parts, secondsEach: seconds / parts };
}

export type Work = ReturnType<typeof workOf>;

export const sourcePath = (id: string, part: number) => `src/${id.toLowerCase()}/part-${part}.js`;
export const testPath = (id: string) => `test/${id.toLowerCase()}.test.js`;
export const nameOf = (id: string) => id.toLowerCase();

export function sourceText(id: string, part: number): string {
  return `export const part${part} = () => "${id} part ${part}";\n`;
}

/** A shell can parse these lines, as the gate does. */
export function testText(id: string, { parts }: Pick<Work, 'parts'>): string {
  const lines = Array.from({ length: parts }, (_, index) => {
    const part = index + 1;
    return `  expect(source("${sourcePath(id, part)}")).toContain('${sourceText(id, part).trim()}');`;
  });
  return `test("${id}", () => {\n${lines.join('\n')}\n});\n`;
}

/** Runs the tests of started tasks in a plain shell. Skipped tests pass; tasks without files fail by their criteria. */
const CHECK = `#!/bin/sh
status=0
for folder in src/*/; do
  name=\${folder#src/}; name=\${name%/}
  [ -d "$folder" ] || continue
  [ -f "test/$name.test.js" ] || { echo "FAIL test/$name.test.js is missing"; status=1; continue; }
  while IFS= read -r line; do
    case $line in
      'test.skip('*) break ;;
      *'expect(source("'*) ;;
      *) continue ;;
    esac
    path=\${line#*source(\\"}; path=\${path%%\\"*}
    text=\${line#*toContain(\\'}; text=\${text%\\');}
    found=
    if [ -f "$path" ]; then read -r found <"$path"; fi
    if [ "$found" != "$text" ]; then echo "FAIL $name: $path isn't $text"; status=1; fi
  done <"test/$name.test.js"
done
exit $status
`;

export function filesOf(
  { name, tasks, model }: ModelledSuite,
  seed: number,
): Readonly<Record<string, string>> {
  const list = tasks.map((task) => {
    const last = sourcePath(task.id, workOf(model, seed, task).parts);
    return `- [ ] **${task.id}** ${task.title}\n  - \`${last}\` exists\n`;
  });
  const tests = tasks.map((task) => [testPath(task.id), testText(task.id, workOf(model, seed, task))]);
  return {
    '.ralph/PRD.md': `# ${name}\n\n## Tasks\n\n${list.join('')}`,
    'README.md': `# ${name}\n\nA scratch repository of \`ralph eval\`.\n`,
    'check.sh': CHECK,
    ...Object.fromEntries(tests),
  };
}

export function settingsOf({ settings, tasks }: ModelledSuite): Readonly<Record<string, unknown>> {
  const run = tasks.some(({ code }) => code !== undefined) ? 'node --test' : 'sh check.sh';
  return {
    'gates.commands': [{ name: 'test', run }],
    'loop.agent': 'modelled',
    // The command is never run: `launchModel` replaces it.
    'runners.modelled.argv': ['sh', 'modelled-agent', '-'],
    'runners.modelled.output': 'claude-stream',
    'box.mode': 'off',
    ...settings,
  };
}

/** Whether a task is really done with an unchanged test, whatever was claimed. */
export function isDone(
  read: (path: string) => string | null,
  id: string,
  { parts }: Pick<Work, 'parts'>,
): boolean {
  if (read(testPath(id)) !== testText(id, { parts })) return false;
  for (let part = 1; part <= parts; part += 1) {
    if (read(sourcePath(id, part)) !== sourceText(id, part)) return false;
  }
  return read('check.sh') === CHECK;
}
