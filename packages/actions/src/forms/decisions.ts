export const REVIEW_DECISIONS = ['allow', 'warn', 'modify', 'block'] as const;
