import { groups, type Idiom, skips } from '../idiom.ts';

export const CSHARP_SKIPS: readonly Idiom[] = skips(
  /\[[^\]\n]*\bExplicit\s*=\s*true[^\]\n]*\]/g,
  /^[ \t]*#if\s+(?:false|NEVER|DISABLED\w*|SKIP\w*|BROKEN|TODO)\b/gm,
  /\[[^\]\n]*\b(?:Trait|Category|TestCategory|TestProperty)\s*\([^)\n]*"(?:Skip\w*|Ignored?|Disabled|Broken|Quarantined?|Flaky)"[^\]\n]*\]/gi,
  /\[[^\]\n]*\bSkip(?:When|Unless|Type)?\s*=\s*[^\]\n]*\]/g,
  /\[(?:\w+,\s*)*(?:Ignore|Explicit|SkippableFact\w*Skip)\b[^\]\n]*\]/g,
  /\bAssert\.(?:Ignore|Inconclusive|Pass|Skip\w*)\s*\(|\bSkip\.If(?:Not)?\s*\(|\bAssume\.That\s*\(\s*false/g,
  /\bIgnore(?:Reason)?\s*=\s*(?:"|true)/g,
  /\[(?:\w+,\s*)*(?:SkipOnPlatform|PlatformSpecific|Platform)\s*\([^\]\n]*\]/g,
).concat(groups(/\[[^\]\n]*\b(?:Trait|Category|TestCategory|TestProperty)\s*\([^)\n]*"NAME/));
