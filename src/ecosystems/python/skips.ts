import { groups, type Idiom, skips } from '../idiom.ts';

export const PYTHON_SKIPS: readonly Idiom[] = skips(
  /@pytest\.mark\.parametrize\([^()\n]*,\s*\[\s*\]\s*[,)]/g,
  /@pytest\.fixture\b[^\n]*\n[ \t]*(?:async[ \t]+)?def[ \t]+test_/g,
  /\braise\s+pytest\.skip\.Exception\b/g,
  /@(?:pytest\.)?mark\.(?:skip|xfail)\b(?!if)(?:\((?:[^()]|\([^()]*\))*\))?/g,
  /@(?:pytest\.)?mark\.skipif\b(?:\((?:[^()]|\([^()]*\))*\))?/g,
  /(?<!@)(?:pytest\.)?mark\.(?:skip|xfail|skipif)\b(?:\((?:[^()]|\([^()]*\))*\))?/g,
  /\bpytest\.(?:skip|xfail|importorskip|exit)\s*\((?:[^()]|\([^()]*\))*\)/g,
  /(?<![.\w])(?:skip|xfail)\s*\(\s*(?:"|'|reason|\))/g,
  /@(?:unittest\.)?(?:skip|skipIf|skipUnless|expectedFailure)\b(?:\((?:[^()]|\([^()]*\))*\))?/g,
  /\bself\.skipTest\s*\(/g,
  /\braise\s+(?:unittest\.)?(?:SkipTest|Skipped)\b/g,
  /\bcollect_ignore(?:_glob)?\s*(?:\+?=|\.(?:append|extend)\()\s*\[?\s*["'\w]/g,
  /\b__test__\s*=\s*False\b|\b__unittest_skip__\s*=\s*True\b/g,
  /@(?:nottest|nose\.tools\.nottest)\b/g,
).concat(groups(/@(?:pytest\.)?mark\.(?!skip)NAME/));
