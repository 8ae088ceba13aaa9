export { checkThresholds, type ThresholdSettings } from './check-thresholds.ts';
export { decideBlocked } from './decide-blocked.ts';
export { prometheusText } from './prometheus.ts';
export { spendOf } from './spend-of.ts';
