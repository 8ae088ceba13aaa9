export { foldRecords } from './fold.ts';
export { importViews } from './import-views.ts';
export {
  currentFeedback,
  eventsDocument,
  eventsToArchive,
  lessonsDocument,
  profileDocument,
  viewDocuments,
} from './views.ts';
