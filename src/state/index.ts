export { foldRecords } from './fold.ts';
export { budgetAtStart } from './fold-policy.ts';
export { importViews } from './import-views.ts';
export { metricFamilies, metricsDocument, prometheusText } from './metrics.ts';
export {
  eventsDocument,
  eventsToArchive,
  lessonsDocument,
  profileDocument,
  viewDocuments,
} from './views.ts';
