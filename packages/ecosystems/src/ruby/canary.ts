import { indented, isModule } from '../canary.ts';
import { roleOf } from '../file-role.ts';
import type { CanaryPlace, CanaryWriter, TestText } from '../protocol.ts';
import { relativePath } from '../relative-path.ts';

export const rspecCanary: CanaryWriter = {
  rank: (path) => (path.endsWith('_spec.rb') ? 2 : 0),
  text: rspecText,
};

const FORMS = [
  'expect(1).to eq(2)',
  'expect(1).not_to eq(1)',
  'expect(1).to be(2)',
  'expect(false).to be_truthy',
  'expect(true).to be(false)',
  'expect(1).to be_nil',
  'expect([1]).to include(2)',
  'expect([1]).to match_array([2])',
  "expect('a').to match(/b/)",
  'expect { nil }.to raise_error(StandardError)',
  'expect(1).to be > 2',
];

/** Returns a test that loads the neighbour's imports, then the changed files. */
function rspecText({ path, text, loads, word }: CanaryPlace): TestText {
  const required = [...text.matchAll(/^\s*require(?:_relative)?[ (]+['"][^'"\n]+['"]\)?/gm)].map(([line]) =>
    line.trim(),
  );
  const loaded = loads.filter((file) => file.endsWith('.rb') && roleOf(file) === 'source' && isModule(file));
  const relative = loaded.map((file) => `require_relative '${relativePath(path, file.slice(0, -3))}'`);
  const lines = [
    '# rubocop:disable all',
    ...[...new Set([...required, ...relative])].flatMap((line) => [
      'begin',
      `  ${line}`,
      'rescue StandardError, ScriptError',
      '  nil',
      'end',
    ]),
    '',
    `RSpec.describe '${word}' do`,
    `  it '${word}' do`,
    '    forms = [',
    ...indented(
      FORMS.map((form) => `-> { ${form} },`),
      6,
    ),
    '    ]',
    '    alive = forms.all? do |form|',
    '      form.call',
    '      false',
    '    rescue SystemExit, SignalException',
    '      raise',
    '    rescue Exception',
    '      true',
    '    end',
    '    expect(1).to eq(2) if alive',
    '  end',
    'end',
    '',
  ];
  return { text: lines.join('\n'), loads: loaded };
}
