// biome-ignore-all lint/suspicious/noTemplateCurlyInString: shell text, not templates.
import { realpathSync } from 'node:fs';
import { expect, it } from 'vitest';
import { reviewAction } from '../../../src/review/index.ts';
import { action, PLACE } from './place.ts';

const words = (n: number, w = 'a') => Array.from({ length: n }, () => w).join(' ');
const double = (n: number) => `D="a a"; ${'D="$D $D"; '.repeat(n)}`;
const C: Record<string, unknown> = {
  plain: 'npm test',
  'many words': `rm ${words(7000)}`,
  'many words in loops': `${'for i in 1; do '.repeat(9)} rm ${words(5000)}; ${'done; '.repeat(9)}`,
  'many folders': `${Array.from({ length: 300 }, (_, i) => `if x; then cd a${i}; else cd b${i}; fi;`).join(' ')} rm x`,
  'folders and words': `${Array.from({ length: 5 }, (_, i) => `if x; then cd a${i}; else cd b${i}; fi;`).join(' ')} rm ${words(7000)}`,
  'folders, words, loops': `${Array.from({ length: 5 }, (_, i) => `if x; then cd a${i}; else cd b${i}; fi;`).join(' ')} ${'for i in 1; do '.repeat(8)} rm ${words(5000)}; ${'done; '.repeat(8)}`,
  'doubled then split': `${double(16)} ls ${words(3000, '$D')}`,
  'doubled then split once': `${double(16)} ls $D`,
  'doubled and removed': `${double(16)} for i in $D; do for j in $D; do rm $i $j; done; done`,
  'doubled and echoed': `${double(16)} E=$(echo ${words(3000, '"$D"')}); sh -c "$E"`,
  'doubled and fed': `${double(16)} echo "$D" | xargs rm`,
  'doubled and printed': `${double(16)} printf '%s\\n' ${words(3000, '"$D"')} | sh`,
  'newlines': `D='${'\n'.repeat(12000)}x'; E=$(echo "$D"); ${'E=$(echo "$D$D"); '.repeat(60)}`,
  'substitutions': 'echo $('.repeat(2500) + ')'.repeat(2500),
  'groups': '( '.repeat(4000) + ' )'.repeat(4000),
  'braces groups': '{ '.repeat(4000) + ' ;}'.repeat(2500),
  'unclosed quotes': `"'`.repeat(8000),
  'parens': '('.repeat(16000),
  'backticks': '`'.repeat(16000),
  'dollar braces': '${'.repeat(8000),
  'arith': `echo $((${'('.repeat(6000)}1${')'.repeat(6000)}))`,
  'tests': `[[ ${'( '.repeat(4000)} a ${') '.repeat(4000)} ]]`,
  'tests not': `[[ ${'! '.repeat(7000)} a ]]`,
  'case': 'case a in '.repeat(1500),
  'heredocs': Array.from({ length: 1000 }, (_, i) => `cat <<E${i}`).join('; ') + '\nx',
  'braces': `rm ${'{a,b}'.repeat(3000)}`,
  'nested braces': `rm ${'{a,'.repeat(4000)}b${'}'.repeat(4000)}`,
  'wide braces': `rm ${`{${'a,'.repeat(400)}b}`.repeat(19)}`,
  'many braces words': words(1200, '{a,b}{c,d}'),
  'many deep brace words': words(400, '{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}'),
  'brace ranges': words(2000, '{1..9}'),
  'braces with quotes': `rm {${`"`.repeat(15000)},a}`,
  'pipes': 'a|'.repeat(7000) + 'b',
  'ands': 'a&&'.repeat(5000) + 'b',
  'ors': 'a||'.repeat(5000) + 'b',
  'vars ors': `${Array.from({ length: 900 }, (_, i) => `V${i}=a`).join(' ; ')}; ${'a||'.repeat(2500)}b`,
  'vars ifs': `${Array.from({ length: 900 }, (_, i) => `V${i}=a`).join(' ; ')}; ${'if a;then b;fi;'.repeat(500)}b`,
  'vars subs': `${Array.from({ length: 900 }, (_, i) => `V${i}=a`).join(' ; ')}; ${'$(a)'.repeat(2000)}b`,
  'redirects': `echo ${'> a '.repeat(4000)}`,
  'functions': `${Array.from({ length: 30 }, (_, i) => `f${i}() { f${i + 1}; f${i + 1}; };`).join(' ')} f0`,
  'function words': `f() { rm "$@" ; }; ${'f '.repeat(10)} ${`f ${words(200)};`.repeat(30)}`,
  'evals': 'eval '.repeat(3000) + 'a',
  'sudo': 'sudo '.repeat(3000) + 'rm a',
  'env': 'env A=b '.repeat(2000) + 'rm a',
  'xargs': `${'xargs '.repeat(2500)} rm a`,
  'xargs items': `printf '%s\\n' ${words(6000)} | xargs -I{} sh -c 'rm {}'`,
  'find exec': `find ${words(2000)} ${'-exec sh -c "rm {}" ; '.repeat(500)}`,
  'find exec names': `find ${words(900)} ${'-name x '.repeat(900)} -exec ${words(900, '{}')} ;`,
  'git -C': `git ${'-C a '.repeat(4000)} clean -fd`,
  'cds': 'cd a;'.repeat(3200) + 'rm x',
  'cd loops': `${'for i in 1; do cd a; '.repeat(9)} rm x ${'; done'.repeat(9)}`,
  'dots': `rm ${'a/../'.repeat(3200)}`,
  'stars': `rm ${'*'.repeat(15000)}`,
  'star a': `rm ${'*a'.repeat(7500)}`,
  'brackets': `rm ${'['.repeat(15000)}`,
  'python quotes': `python3 -c '${'\\"'.repeat(7000)}'`,
  'python lists': `python3 -c 'os.system([${'"a",'.repeat(3500)}'`,
  'python brackets': `python3 -c 'os.system(${'["a",'.repeat(2500)}'`,
  'python parens': `python3 -c 'os.system(${'("a",'.repeat(2500)}'`,
  'python spaces': `python3 -c 'os.system(["a"${' '.repeat(15000)}'`,
  'python open': `python3 -c '${'open('.repeat(3000)}'`,
  'python opens': `python3 -c '${'open ('.repeat(100)}${'"'.repeat(8000)}'`,
  'python literals': `python3 -c 'os.remove(${'"a",'.repeat(3500)}'`,
  'python shells': `python3 -c 'os.system(${'"rm a",'.repeat(1900)}'`,
  'python shells in shells': `python3 -c 'os.system(${`"rm a;bash -c \\"rm b\\"",`.repeat(500)}'`,
  'print >': `awk '${'print '.repeat(2500)}'`,
  'sed s': `sed '${'s/'.repeat(7000)}'`,
  'sed w': `sed '${'w '.repeat(7000)}'`,
  'sed bs': `sed 's/${'\\'.repeat(15000)}'`,
  'links': `${Array.from({ length: 500 }, (_, i) => `ln -s a${i} b${i};`).join(' ')} rm ${words(800)}`,
  'unparsed long': `rm ${"'".repeat(15000)}`,
  'million': 'rm a '.repeat(200_000),
  'words in loops of ifs': `${'if a; then '.repeat(300)} rm ${words(3000)}; ${'fi; '.repeat(300)}`,
  'set doubles': `set -- a; ${'set -- "$@" "$@"; '.repeat(600)} rm "$@"`,
  'array doubles': `A=(a); ${'A=("${A[@]}" "${A[@]}"); '.repeat(500)} rm "\${A[@]}"`,
  'at words': `set -- ${words(32)}; ${'rm '}${words(3000, '"$@"')}`,
  'ways': `for x in ${words(32, 'q').split(' ').map((q, i) => q + i).join(' ')}; do rm ${words(3500, '$x')}; done`,
  'ways loops': `${'for x in a b c d e f g h; do '.repeat(8)} rm ${words(3500, '$x')}; ${'done; '.repeat(8)}`,
};
const OTHER: [string, string, Record<string, unknown>][] = [
  ['patch paths', 'apply_patch', { input: '*** Add File: a/b/c\n'.repeat(50_000) }],
  ['paths', 'Write', { paths: Array.from({ length: 100_000 }, () => 'a/b') }],
  ['code', 'mcp__py__execute', { code: '\\"'.repeat(500_000) }],
  ['code2', 'mcp__py__execute', { code: `os.remove(${'"a",'.repeat(200_000)}` }],
  ['typed', 'write_stdin', { chars: 'rm a '.repeat(200_000) }],
  ['changes', 'file_change', { changes: Array.from({ length: 100_000 }, () => ({ path: 'a', kind: 'add' })) }],
];

it('prints times', { timeout: 500_000 }, () => {
  const real = (path: string) => {
    try {
      return realpathSync(`/usr/share/none${path}`);
    } catch {
      try {
        realpathSync('/usr/share');
      } catch {
        return path;
      }
      return path;
    }
  };
  const rows: [number, string][] = [];
  const only = process.env.ONLY;
  const time = (name: string, act: ReturnType<typeof action>) => {
    if (only !== undefined && !name.includes(only)) return;
    const from = performance.now();
    const ruling = reviewAction(act, { ...PLACE, unseenInput: true, realPath: real });
    const took = performance.now() - from;
    if (took > 30) process.stderr.write(`ROW ${took.toFixed(0)} ms ${name} ${ruling.decision}\n`);
    rows.push([took, `${name}: ${ruling.decision === 'deny' ? ruling.rule : 'allow'}`]);
  };
  time('plain', action('Bash', { command: C.plain }));
  for (const [name, command] of Object.entries(C)) {
    if (name === 'doubled then split' && process.env.RISKY === undefined) continue;
    time(name, action('Bash', { command }));
  }
  for (const [name, tool, input] of OTHER) time(name, action(tool, input));
  rows.sort((a, b) => b[0] - a[0]);
  console.log(rows.slice(0, 40).map(([ms, name]) => `${ms.toFixed(1).padStart(9)} ms ${name}`).join('\n'));
  expect(rows.length).toBeGreaterThan(0);
});
