/** Work with a folder of a gateway, in a process of its own. */
export interface StoreQuestion {
  readonly of: 'fill' | 'start';
  readonly folder: string;
  /** How many events the folder has or gets. */
  readonly events: number;
}

/** What it came to. */
export interface StoreAnswer {
  readonly ms: number;
  /** By how much the process grew, or how large it was at the end of `fill`. */
  readonly residentBytes: number;
}
