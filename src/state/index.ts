export { foldRecords } from './fold.ts';
export { importViews } from './import-views.ts';
export { metricFamilies, metricsDocument } from './metrics.ts';
export { prometheusText } from './prometheus.ts';
export {
  eventsDocument,
  eventsToArchive,
  lessonsDocument,
  profileDocument,
  viewDocuments,
} from './views.ts';
