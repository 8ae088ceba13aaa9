/** What a review comes to, as records and screens call it. */
export const REVIEW_DECISIONS = ['allow', 'warn', 'modify', 'block'] as const;
