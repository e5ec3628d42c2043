/** What decorators have said of classes: not among the package's exports, and read by Nest's own packages as well. */
declare module 'class-transformer/cjs/storage.js' {
  export { defaultMetadataStorage } from 'class-transformer/types/storage.js';
}
