import { startChild } from './child.js';

/** What the sender sends in one go. */
export type Load =
  /** `progress` of jobs 0 … `jobs`-1 in turn, each time with a higher value. */
  | { readonly kind: 'progress'; readonly count: number; readonly jobs: number }
  | {
      readonly kind: 'progress_state';
      readonly count: number;
      readonly jobs: number;
      readonly nodes: number;
    }
  /** Pictures of type 1, or of type 4 of the jobs in turn. */
  | { readonly kind: 'preview'; readonly count: number; readonly size: number }
  | { readonly kind: 'named preview'; readonly count: number; readonly size: number; readonly jobs: number }
  /** A picture of type 4, a `progress_state` of 20 nodes and a `progress` of each job in turn. */
  | { readonly kind: 'mixture'; readonly count: number; readonly size: number; readonly jobs: number }
  /** Pictures as server-sent events. */
  | { readonly kind: 'events'; readonly count: number; readonly size: number }
  /** Pictures of job 0, then its end; `timestamp` of the end says when it was written. */
  | { readonly kind: 'a job of pictures'; readonly count: number; readonly size: number };

/** What the parent asks the sender for. */
export type SenderQuestion = { readonly to: string; readonly load: Load } | 'port';

/** A service in a process of its own, whose sockets are fed by hand. */
export interface Sender {
  /** Address of the service for the way called `name`. */
  readonly baseUrl: (name: string) => string;
  readonly wsUrl: (name: string) => string;
  readonly port: number;
  /** Makes the messages ready; the returned function begins to send them to the sockets of `name`. */
  readonly prepare: (name: string, load: Load) => Promise<() => void>;
  readonly end: () => Promise<void>;
}

export const startSender = async (): Promise<Sender> => {
  const child = startChild('sender');
  const port = await child.ask<number>('port' satisfies SenderQuestion);
  let sending: Promise<unknown> = Promise.resolve();
  return {
    port,
    baseUrl: (name) => `http://127.0.0.1:${port}/${name}`,
    wsUrl: (name) => `ws://127.0.0.1:${port}/${name}/ws`,
    prepare: async (name, load) => {
      await sending;
      await child.ask({ to: name, load } satisfies SenderQuestion);
      return () => {
        sending = child.ask('go');
      };
    },
    end: child.end,
  };
};
