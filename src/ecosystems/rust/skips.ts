import { type Idiom, skips } from '../idiom.ts';

export const RUST_SKIPS: readonly Idiom[] = skips(
  /#\[ignore\b[^\]]*\]/g,
  /#!?\[cfg\((?:any\(\)|not\(test\)|FALSE|false|feature\s*=\s*"[^"]*"|all\(test,\s*(?:any\(\)|feature[^)]*)\))\)\]/g,
  /#!?\[cfg\((?!(?:test|unix|windows|miri|loom|fuzzing|docsrs|doc|debug_assertions|panic|not|any|all|feature|target_\w+|cfg)\b)\w+\)\]|#\[cfg\(target_\w+\s*=\s*"none"\)\]/g,
  /#\[cfg_attr\([^\]]*\bignore\b[^\]]*\]/g,
  /#\[should_panic\b[^\]]*\]/g,
  /#!?\[cfg\((?=[^\]\n]*(?:target_|\bunix\b|\bwindows\b))[^\]\n]*\)\]/g,
);
