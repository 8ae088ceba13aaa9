export { checkThresholds, type ThresholdSettings } from './check-thresholds.ts';
export { decideBlocked } from './decide-blocked.ts';
export { prometheusText } from './prometheus.ts';
export { priceOf, spendOf } from './spend-of.ts';
