import { firstFile, testGate } from '../project.ts';
import type { Found, Project, SeenFiles } from '../protocol.ts';

export const ruby: Project = {
  name: 'ruby',
  detect: rubyGates,
  settings: [
    {
      programs: /^rspec$/,
      files: ['.rspec', '.rspec-local'],
      part: null,
      vacuous: /--dry-run\b|--failure-exit-code[ =]0\b/,
      why: 'runs no test, or lets them fail',
    },
  ],
};

/** Not every version of minitest has a command to run tests without a Rakefile. */
const MINITEST = `ruby -Ilib -Itest -e 'Dir["test/**/{*_test,test_*}.rb"].sort.each { |file| require "./" + file }'`;

function rubyGates(files: SeenFiles): Found | null {
  const { paths, read } = files;
  const rakefile = firstFile(files, ['Rakefile', 'rakefile', 'Rakefile.rb']);
  const hasGemfile = paths.has('Gemfile');
  const minitests = [...paths].filter((path) => /^test\/(?:.*\/)?(?:[^/]*_test|test_[^/]*)\.rb$/.test(path));
  if (rakefile === null && !hasGemfile && minitests.length === 0) return null;
  const bundle = hasGemfile ? 'bundle exec ' : '';
  const under = (folder: string) => [...paths].some((path) => path.startsWith(`${folder}/`));
  const lint = /\brubocop\b/.test(read('Gemfile') ?? '') || paths.has('.rubocop.yml');
  const task = (rakefile?.text ?? '').match(
    /\btask\s*\(?\s*(?::|["'])?(test|spec)\b|\b(?:Rake::(Test)|RSpec::Core::(Rake))Task/,
  );
  const byRake = task === null ? null : (task[1] ?? (task[3] === undefined ? 'test' : 'spec'));
  const run =
    paths.has('bin/rails') && under('test')
      ? 'bin/rails test'
      : under('spec')
        ? `${bundle}rspec`
        : byRake !== null
          ? `${bundle}rake ${byRake}`
          : minitests.length > 0
            ? `${bundle}${MINITEST}`
            : null;
  return {
    gates: [
      ...(lint ? [{ kind: 'lint' as const, name: 'rubocop', run: `${bundle}rubocop`, tool: 'rubocop' }] : []),
      ...(run === null ? [] : [testGate('ruby', run)]),
    ],
    notes: [],
  };
}
