import { firstFile, NOTHING, testGate } from '../project.ts';
import type { Found, FoundGate, Project, SeenFiles } from '../protocol.ts';

/** Only `-v` names the tests that ran. */
export const goProject: Project = { name: 'go', detect: goGates };

function goGates(files: SeenFiles): Found | null {
  const lint = firstFile(files, ['.golangci.yml', '.golangci.yaml', '.golangci.toml', '.golangci.json']);
  const gates: FoundGate[] =
    lint === null ? [] : [{ kind: 'lint', name: 'lint', run: 'golangci-lint run', tool: 'golangci-lint' }];
  if (files.paths.has('go.mod')) return { gates: [...gates, testGate('go', 'go test -v ./...')], notes: [] };
  const work = files.read('go.work');
  if (work === null) return null;
  const modules = [...work.matchAll(/^\s*(?:use\s+)?(\.\/?[\w./-]*)\s*$/gm)].map(([, path = '']) =>
    path.replace(/\/$/, ''),
  );
  const packages = modules.map((path) => (path === '.' ? './...' : `${path}/...`));
  return packages.length === 0
    ? NOTHING
    : { gates: [...gates, testGate('go', `go test -v ${packages.join(' ')}`)], notes: [] };
}
