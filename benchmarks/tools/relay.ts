import { startChild } from './child.js';

/** The ways to relay a job's progress to the readers of a server. */
export const relayWays = ['promptwire', 'by hand', 'better-sse'] as const;
export type RelayWay = (typeof relayWays)[number];

/** What the parent asks the relay for. */
export type RelayQuestion =
  | 'addresses'
  | { readonly publish: RelayWay; readonly count: number; readonly everyMs: number }
  | { readonly preview: number };

/** When each event was published, in milliseconds of the machine's monotonic clock, and what it cost. */
export interface Published {
  readonly at: readonly number[];
  readonly cpuMs: number;
}

/** Servers in a process of their own that relay the same events, one for each way. */
export interface Relay {
  readonly addresses: Readonly<Record<RelayWay, string>>;
  readonly publish: (way: RelayWay, count: number, everyMs: number) => Promise<Published>;
  /** Publishes a preview of so many bytes through the gateway. */
  readonly preview: (size: number) => Promise<void>;
  readonly end: () => Promise<void>;
}

export const startRelay = async (): Promise<Relay> => {
  const child = startChild('relay');
  return {
    addresses: await child.ask<Relay['addresses']>('addresses' satisfies RelayQuestion),
    publish: (way, count, everyMs) =>
      child.ask<Published>({ publish: way, count, everyMs } satisfies RelayQuestion),
    preview: async (size) => {
      await child.ask({ preview: size } satisfies RelayQuestion);
    },
    end: child.end,
  };
};

/** The machine's monotonic clock, which all processes share. */
export const monotonicMs = (): number => Number(process.hrtime.bigint()) / 1e6;
