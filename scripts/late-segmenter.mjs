/** Stands in for `Intl.Segmenter`, whose tables take 7 to 15 ms to load: they come with the first text that isn't plain. */
export class LateSegmenter {
  #options;
  #made;
  constructor(...options) {
    this.#options = options;
  }
  segment(text) {
    this.#made ??= new globalThis.Intl.Segmenter(...this.#options);
    return this.#made.segment(text);
  }
}
