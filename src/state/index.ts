export { foldRecords } from './fold.ts';
export { importViews } from './import-views.ts';
export {
  currentFeedback,
  eventsDocument,
  eventsToArchive,
  profileDocument,
  viewDocuments,
} from './views.ts';
