/** A way to listen to the sender: connects as `name` and calls `tick` for each message that it has read. */
export type ListeningWay = (address: WayAddress, tick: (value: unknown) => void) => Promise<Connected>;

/** Where a way finds the sender. */
export interface WayAddress {
  /** Its name, which is the first part of every path. */
  readonly name: string;
  readonly port: number;
  readonly baseUrl: string;
  readonly wsUrl: string;
}

export interface Connected {
  readonly close: () => void | Promise<void>;
}
