import type { HttpDeed } from './http-fault.js';
import type { Occurrence } from './occurrence.js';

/** Faults of the storage behind signed addresses; matches are requests to it. */
export type StorageFault = Occurrence & { readonly on: 'storage' } & (
    | HttpDeed
    | {
        readonly do: 'answer';
        readonly status: number;
        readonly headers?: Readonly<Record<string, string>>;
        readonly body?: string;
      }
    /** The address is past its end: 400 (default) or 403 with XML. */
    | { readonly do: 'expire'; readonly status?: 400 | 403 }
    /** Only the first bytes come, as if they were all. */
    | { readonly do: 'truncate'; readonly bytes: number }
    /** 200 with other content: a text, or bytes in base64. */
    | { readonly do: 'body'; readonly text?: string; readonly base64?: string; readonly type?: string }
    /** The file has another validator than before. */
    | { readonly do: 'etag'; readonly value: string }
    /** One more redirect; default to the same address: a loop with `times: 'every'`, a chain of five with `times: 5`. */
    | { readonly do: 'redirect'; readonly location?: string; readonly status?: number }
    /** The answer says no length and ends with the connection; `bytes` cuts it short. */
    | { readonly do: 'no-length'; readonly bytes?: number }
  );
