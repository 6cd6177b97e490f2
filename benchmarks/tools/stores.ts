/** Work with a folder of a gateway, in a process of its own. */
export interface StoreQuestion {
  readonly of: 'fill' | 'start';
  readonly folder: string;
  /** How many events the folder has or gets. */
  readonly events: number;
}

/** How long the work took, and the memory of the process after it. */
export interface StoreAnswer {
  readonly ms: number;
  /** Processor time, which other work on the machine does not lengthen; 0 of `fill`. */
  readonly cpuMs: number;
  /** By how much the process grew, or how large it was at the end of `fill`. */
  readonly residentBytes: number;
  /** By how much the heap grew that a collection leaves; 0 of `fill`. */
  readonly heapBytes: number;
}
