import { directives, focuses, groups, skips } from '../idiom.ts';
import type { Language } from '../protocol.ts';
import { many } from './syntax.ts';

export const language: Language = {
  files: {
    data: /\.phpt$/,
    tests: /\.phpt$/,
    settings:
      /(?:^|\/)composer\.(?:jsonc?|ya?ml|properties)$|(?:^|\/)(?:phpunit[\w.]*\.xml(?:\.dist)?|phpstan[\w.-]*\.neon(?:\.dist)?|psalm(?:-baseline)?\.xml|infection\.json5?|\.php-cs-fixer[\w.]*|phpcs\.xml)/,
  },
  packages: {
    manifests: /^composer\.json$/,
    // composer has no `rewriteCommand`: its own leaves new packages out.
    locks: [
      {
        file: 'composer.lock',
        manifest: 'composer.json',
        install: () => 'composer install --no-interaction',
      },
    ],
    hosts: [[['composer.json'], ['repo.packagist.org', 'api.github.com', 'codeload.github.com']]],
  },
  lists: [
    {
      files: /(?:^|\/)phpunit[\w.]*\.xml(?:\.dist)?$/,
      idioms: skips(/<exclude>[^<]*[tT]est[^<]*<\/exclude>/g),
    },
  ],
  outputs: { folders: ['.phpunit.cache'], files: [String.raw`\.phpunit\.result\.cache`] },
  checkers: ['phpunit pest', 'phpstan psalm', 'phpcs'],
  programs: 'php composer',
  variables: ['PHPUNIT_\\w+', '__PHPUNIT_\\w+'],
  asksForTests: [
    /\bapp\(\)->(?:runningUnitTests|environment\s*\(\s*['"]testing)|\brunningUnitTests\s*\(|\bApp::runningUnitTests|\bdefined\s*\(\s*['"]PHPUNIT|\bclass_exists\s*\(\s*['"][^'"]*(?:PHPUnit|TestCase)/g,
  ],
  uncovered: { comment: /@codeCoverageIgnore\w*/gi, code: /#\[CodeCoverageIgnore/g },
  code: {
    php: {
      endings: 'php',
      lineComments: ['//', '#'],
      blockComments: [['/*', '*/']],
      strings: [many('"'), many("'")],
      headers: [
        /function\s+(test\w*)\s*\(/g,
        /#\[Test\](?:\s*#\[[^\]]*\])*\s*public\s+function\s+(\w+)/g,
        /(?<![>\w:$])(?:it|test)\(\s*(?:"([^"\n]*)"|'([^'\n]*)')/g,
      ],
      idioms: [
        ...skips(
          /(?:->|::)(?:markTestSkipped|markTestIncomplete)\s*\(/g,
          /->(?:skip|todo|skipOn\w+|fails)\s*\(/g,
          /#\[Group\(\s*["'](?:skip\w*|ignored?|disabled|broken|quarantine|flaky)["']/gi,
          /#\[(?:Requires\w*|Ignore\w*|DoesNotPerformAssertions)\b[^\]]*\]/g,
          /(?<![>\w:$])(?:xit|xtest|xdescribe)\s*\(/g,
        ),
        ...focuses(/\)\s*->only\s*\(/g),
        ...directives(/@(?:requires[ \t]+\S[^\n*]*|doesNotPerformAssertions\b)/g),
        ...groups(/#\[Group\(\s*["']NAME/, /@group[ \t]+NAME/, /->group\s*\(\s*["']NAME/),
      ],
      rewritesOutcome: /\bexit\s*\(\s*0\s*\)|\bregister_shutdown_function\b[^\n]*exit/g,
      endsWell: /\bregister_shutdown_function\b[^;]{0,80}?\bexit\s*\(\s*0?\s*\)/g,
    },
  },
};
