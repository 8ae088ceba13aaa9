import { packageScripts } from 'ralph-kit/formats/package-scripts';
import { isPlaceholder } from '../node/script.ts';
import { firstFile, testGate } from '../project.ts';
import type { Found, FoundGate, GateKind, Project, SeenFiles } from '../protocol.ts';

export const php: Project = { name: 'php', detect: phpGates };

const COMPOSER: readonly (readonly [GateKind, readonly string[]])[] = [
  ['lint', ['lint', 'cs', 'phpcs']],
  ['types', ['phpstan', 'stan', 'psalm', 'analyse', 'analyze']],
  ['test', ['test', 'tests', 'phpunit']],
];

function phpGates(files: SeenFiles): Found | null {
  const text = files.read('composer.json');
  if (text === null) return null;
  const scripts = packageScripts(text);
  const byScript = COMPOSER.flatMap(([kind, names]): FoundGate[] => {
    const name = names.find((one) => !isPlaceholder(scripts.get(one) ?? ''));
    return name === undefined ? [] : [{ kind, name, run: `composer run ${name}`, tool: 'composer' }];
  });
  const has = (kind: GateKind) => byScript.some((gate) => gate.kind === kind);
  const stan = firstFile(files, ['phpstan.neon', 'phpstan.neon.dist', 'phpstan.dist.neon']);
  const unit = firstFile(files, ['phpunit.xml', 'phpunit.xml.dist', 'phpunit.dist.xml']);
  return {
    gates: [
      ...byScript,
      ...(stan === null || has('types')
        ? []
        : [{ kind: 'types' as const, name: 'phpstan', run: 'vendor/bin/phpstan analyse', tool: 'phpstan' }]),
      ...(unit === null || has('test') ? [] : [testGate('phpunit', 'vendor/bin/phpunit')]),
    ],
    notes: [],
  };
}
