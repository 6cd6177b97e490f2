/** Which of the matches a fault strikes; they are counted for each fault, from the moment that it was set. */
export interface Occurrence {
  /** The first match that is struck, from 1; default 1. */
  readonly nth?: number;
  /** How many matches in a row are struck from there on; default 1, for `vanish` and `flicker` on `rest` `every`. */
  readonly times?: number | 'every';
  /** How likely each of these is struck, 0 to 1, drawn from the seed; default 1. */
  readonly chance?: number;
}
