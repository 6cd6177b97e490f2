import type { EventStream } from './event-stream.js';
import type { LedgerStream } from '../ledger.js';

/** The open event streams of one emulator, and a record of all. */
export interface EventStreams {
  readonly ledger: readonly LedgerStream[];
  /** The number of open streams of an account. */
  readonly countOf: (account: object) => number;
  /** Records a stream that opens. */
  readonly add: (account: object, jobId: string) => StreamEntry;
  /** The open streams, of one account or of all. */
  readonly open: (account?: object) => readonly EventStream[];
}

/** The record of one stream. */
export interface StreamEntry {
  readonly onSent: () => void;
  readonly onClose: () => void;
  /** Adds the stream to the open ones. */
  readonly attach: (stream: EventStream) => void;
}

/** An empty register. */
export const createEventStreams = (): EventStreams => {
  const ledger: { promptId: string; events: number; isOpen: boolean }[] = [];
  const open = new Map<object, { readonly account: object; stream: EventStream | undefined }>();
  const ofAccount = (account: object | undefined): readonly EventStream[] =>
    [...open.values()].flatMap((entry) =>
      entry.stream && (account === undefined || entry.account === account) ? [entry.stream] : [],
    );
  return {
    ledger,
    countOf: (account) => [...open.values()].filter((entry) => entry.account === account).length,
    add: (account, jobId) => {
      const record = { promptId: jobId, events: 0, isOpen: true };
      const entry: { readonly account: object; stream: EventStream | undefined } = {
        account,
        stream: undefined,
      };
      ledger.push(record);
      open.set(record, entry);
      return {
        onSent: () => {
          record.events += 1;
        },
        onClose: () => {
          record.isOpen = false;
          open.delete(record);
        },
        attach: (stream) => {
          entry.stream = stream;
        },
      };
    },
    open: ofAccount,
  };
};
