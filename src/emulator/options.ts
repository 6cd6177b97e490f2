/// <reference lib="esnext.disposable" preserve="true" />
import type { Billing, Fault } from './fault.js';
import type { EmulatorClock } from './clock.js';
import type { Engine } from './local/engine.js';
import type { Ledger, RecordedRequest } from './ledger.js';
import type { Machine } from './local/machine.js';
import type { Profile, Switches } from './switches.js';

/** A tier of the service and how many jobs it runs at once: free 1, standard 1, creator 3, pro 5. */
export type Tier = 'free' | 'standard' | 'creator' | 'pro';

/**
 * One row of the interface that can be switched off, so that a conformance test can be shown to fail without it:
 * 12 endpoints, 11 events, 3 binary types, 5 states, 6 exception types, 5 error statuses, 4 tiers.
 */
export type InterfaceRow =
  | `endpoint:${
      | 'GET /api/object_info'
      | 'POST /api/upload/image'
      | 'POST /api/upload/mask'
      | 'POST /api/prompt'
      | 'GET /api/job/{id}/status'
      | 'GET /api/history_v2/{id}'
      | 'GET /api/view'
      | 'GET /api/queue'
      | 'POST /api/queue'
      | 'POST /api/interrupt'
      | 'GET /api/user'
      | 'GET /ws'}`
  | `event:${
      | 'status'
      | 'notification'
      | 'execution_start'
      | 'execution_cached'
      | 'executing'
      | 'progress'
      | 'progress_state'
      | 'executed'
      | 'execution_success'
      | 'execution_error'
      | 'execution_interrupted'}`
  | `binary:${1 | 3 | 4}`
  | `state:${'pending' | 'in_progress' | 'completed' | 'failed' | 'cancelled'}`
  | `exception:${
      | 'ValidationError'
      | 'ModelDownloadError'
      | 'ImageDownloadError'
      | 'OOMError'
      | 'InsufficientFundsError'
      | 'InactiveSubscriptionError'}`
  | `status:${400 | 401 | 402 | 429 | 500}`
  | `tier:${Tier}`;

/** The kind of server: the hosted service, one engine on the user's machine, or a service that speaks API v2. */
export type Dialect = 'cloud' | 'local' | 'v2';

/** Options of `startEmulator`; all are optional. */
export interface EmulatorOptions {
  /**
   * Default `cloud`. A `local` server has no keys, tiers, billing or profiles, runs one job at a time, sends a job's
   * events to the socket with the submission's `client_id` only, and answers a view with the bytes. A `v2` service has
   * its own switches, of which the profile `2026-11` turns on lists, labels and logs, and no socket unless `v1Routes` is on.
   */
  readonly dialect?: Dialect | undefined;
  /**
   * The release that a `local` server plays; default `0.3.64`. `0.3.40` takes no id of the client for a job and interrupts
   * whichever job runs, as engines before July and September 2025 did; it has no partial execution, no flags of sockets and no
   * `progress_state` either. `0.6` adds `GET /api/jobs`, `0.9` its word `cancelled`, `0.26` its routes that cancel; `latest` is the
   * newest whose sources were read.
   */
  readonly engine?: Engine | undefined;
  /**
   * The machine of a `local` server: the checkpoints on its disk, how long each takes to load, and the memory of its device, which a workflow may
   * exceed. Default: two checkpoints that load at once, and no limit.
   */
  readonly machine?: Machine | undefined;
  /** Port of the API on 127.0.0.1; default 0, a free one. */
  readonly port?: number | undefined;
  /** The accepted keys; default one key made from the seed. `emulator.apiKey` is the first. */
  readonly acceptKeys?: readonly string[] | undefined;
  /** Default `creator`. */
  readonly tier?: Tier | undefined;
  /** Default `interface`. */
  readonly profile?: Profile | undefined;
  /** Single switches that differ from the profile. */
  readonly switches?: Partial<Switches> | undefined;
  /** 1 takes 50 ms a step, 2 is twice as fast, `Infinity` has no delays; default 1. */
  readonly speed?: number | undefined;
  /** Seeds every id, token and picture that a workflow does not determine; default 1. */
  readonly seed?: number | undefined;
  /** Account state, changeable while it runs. */
  readonly billing?: Billing | undefined;
  /** Rows of the interface that are switched off; for tests of tests. */
  readonly without?: readonly InterfaceRow[] | undefined;
  /** Faults from the start on; `setFaults` replaces them. */
  readonly faults?: readonly Fault[] | undefined;
  /** How many jobs run at once instead of the tier's number; `'unlimited'` for benchmarks. */
  readonly concurrency?: number | 'unlimited' | undefined;
  /**
   * The origin whose pages may read its answers (`http://localhost:5173`), or `*` for any; default none, as the service
   * and a local server without `--enable-cors-header` have it.
   */
  readonly allowOrigin?: string | undefined;
  /**
   * The program `ffmpeg` for nodes that need its codecs (`SaveAudioMP3`, `SaveAudioOpus`, `SaveWEBM`, `LoadVideo`,
   * `LTXVPreprocess`, and the sounds that the emulator does not decode itself): a path, or a name that is found on PATH.
   * Default `ffmpeg`; false for none. Without the program such a node fails as the engine's does without the codec.
   *
   * A run gets no shell, a folder of its own, 60 seconds, and at most 128 MiB of results; `close()` ends it.
   */
  readonly ffmpeg?: string | false | undefined;
  /**
   * A state that `exportState` of an emulator of the same dialect gave, to go on with: its files, its history, and its queue, whose jobs begin
   * anew. It has no keys: with several, the accounts are those of the keys in their order. A state that can't be taken up rejects with
   * `InvalidState`.
   */
  readonly state?: string | undefined;
  /** The emulator's time; default the process's. With `virtualClock()` a test advances it. */
  readonly clock?: EmulatorClock | undefined;
}

/** A running emulator. */
export interface Emulator extends AsyncDisposable {
  /** As in the options, so that `createClient(emulator)` works. */
  readonly dialect: Dialect;
  /** `http://127.0.0.1:PORT`, and the path of the switch `basePath`. */
  readonly baseUrl: string;
  /** `ws://127.0.0.1:PORT`; the socket is at `/ws` below it, in API v2 with the switch `v1Routes` only. */
  readonly wsUrl: string;
  /** Origin of the signed URLs. */
  readonly storageUrl: string;
  /** The first accepted key. */
  readonly apiKey: string;
  /** Changes the account while it runs. */
  readonly setBilling: (billing: Billing) => void;
  /**
   * Every received request with its headers, in order. Accepted keys are recorded as sent; any other key, which may be a
   * real one, is recorded as `unknown-key`.
   */
  readonly requests: readonly RecordedRequest[];
  /** The number of open sockets. */
  readonly openSockets: number;
  /** The number of open event streams of API v2. */
  readonly openStreams: number;
  /** Sends a text or binary message to every open socket, and as it is to every open event stream. */
  readonly inject: (message: string | Uint8Array) => void;
  /** Cuts every open socket without a close frame, and every open event stream. */
  readonly cutSockets: () => void;
  /** Refuses new sockets and event streams with this HTTP status until called with `undefined`. */
  readonly refuseSockets: (status: number | undefined) => void;
  /**
   * Answers the next matching request with this instead (`path` without query); throws a `TypeError` for an answer that no
   * server can send.
   */
  readonly answerOnce: (method: string, path: string, answer: ScriptedAnswer) => void;
  /**
   * Replaces all faults and resets their counts; throws a `TypeError` that names every problem of the list. Sockets that
   * are already open stay unchanged.
   */
  readonly setFaults: (faults: readonly Fault[]) => void;
  /** What really happened: accepted jobs and their states, requests, sockets, triggered faults. */
  readonly ledger: Ledger;
  /**
   * Writes its state as JSON, for the option `state`: uploads and other files, the jobs that have ended, and the queue, with a job that runs at
   * its head; in API v2 assets, labels and keys as well; of a local server also what the editor stored. It has no keys, and `extra_data` without
   * credentials. Throws `InvalidState` above 256 MiB.
   */
  readonly exportState: () => string;
  /** Ends all sockets, jobs and timers at once. */
  readonly close: () => Promise<void>;
}

/** What {@link Emulator.answerOnce} sends. */
export interface ScriptedAnswer {
  /** The HTTP status. */
  readonly status: number;
  /** Headers beside those that the emulator always sends. */
  readonly headers?: Readonly<Record<string, string>>;
  /** The body as text. Default: empty. */
  readonly body?: string;
  /** Handle the request first, then send this: an accepted submission whose answer is lost. */
  readonly afterCommit?: boolean;
  /** Cut the connection instead of answering. */
  readonly cut?: boolean;
}
