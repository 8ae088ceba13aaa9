/** What programs print when something around the work is missing, and the cause in words. */
const TROUBLES: readonly (readonly [pattern: RegExp, what: string])[] = [
  [
    /command not found|: not found|no such file or directory|\bENOENT\b|\bEACCES\b|permission denied|cannot execute|exit code 12[67]\b/i,
    "a program or file that it needs is missing or can't be run",
  ],
  [
    /\b40[13]\b|unauthori[sz]ed|forbidden|authenticat|not (?:logged|signed) in|please log ?in|api[ _-]?key|credential|(?:invalid|expired) token|token (?:is |has )?(?:invalid|expired)/i,
    "it isn't signed in, or lacks a permission",
  ],
  [
    /\bENOTFOUND\b|\bECONN(?:REFUSED|RESET|ABORTED)\b|\bETIMEDOUT\b|\bEAI_AGAIN\b|getaddrinfo|could not resolve|network|\bproxy\b|certificate|connection (?:refused|reset|timed out|closed)|service unavailable|\b50[234]\b/i,
    "it can't reach its service",
  ],
];

/** The trouble around the work that this output speaks of, in words; `null` when it speaks of none. */
export function environmentTrouble(output: string): string | null {
  return TROUBLES.find(([pattern]) => pattern.test(output))?.[1] ?? null;
}
