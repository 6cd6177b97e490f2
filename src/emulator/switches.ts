import type { V2Switches } from './v2/switches.js';

/** Details of the service that its documents leave open; the profile gives the defaults. */
export interface Switches extends V2Switches {
  /** `five`: pending … cancelled; `raw`: submitted, queued_limited, … as in protocol.md 2.6. */
  readonly statusWords: 'five' | 'raw';
  /** `flat`: `{ outputs, status, … }`; `keyed`: the same under the prompt id. */
  readonly history: 'flat' | 'keyed';
  /** `flat`: `data.queue_remaining`; `nested`: `data.status.exec_info.queue_remaining`. */
  readonly statusEvent: 'flat' | 'nested';
  /** How `executing` reports the end of a run; `never`: it is not sent. */
  readonly executingEnd: 'null' | 'empty' | 'absent' | 'never';
  /** The status of an inactive subscription; with 402, 429 is back-pressure only. */
  readonly inactiveSubscription: 429 | 402;
  /** `both`: queue delete ends pending and running jobs; `pending`: only those that wait. */
  readonly queueDelete: 'both' | 'pending';
  /** `runs`: the free tier runs one job; `403`: it is refused. */
  readonly freeTier: 'runs' | '403';
  /** `refuses`: storage answers 400 to any request that carries an API header; `tolerates`: it ignores them. */
  readonly storageHeaders: 'refuses' | 'tolerates';
  /** `at once`: POST answers 400; `at pick-up`: the job fails with an embedded validation body. */
  readonly validation: 'at once' | 'at pick-up';
  /** `refuse`: a socket with a bad token gets 401; `close`: it is closed after opening. */
  readonly badToken: 'refuse' | 'close';
  /** The `error.type` of a node without a class, or of a class that the service does not have. */
  readonly missingNode: 'invalid_prompt' | 'missing_node_type';
  /** Whether history and the jobs API return what was sent as `extra_data`, without its credentials. */
  readonly extraDataIs: 'listed' | 'dropped';
  /** Milliseconds by which history's outputs trail the terminal status. */
  readonly historyLagMs: number;
  /**
   * Milliseconds by which a local server's record and `executing` without a node trail the terminal event; `random`: 0 to 10,
   * drawn by the seed for each job, and 0 at `speed: Infinity`.
   */
  readonly recordDelayMs: number | 'random';
  /** Lifetime of a signed URL in milliseconds. */
  readonly signedUrlMs: number;
  /** `hash`: content-addressed names; `counter`: `prefix_00001_.png`. */
  readonly fileNames: 'hash' | 'counter';
  /** Key of the video saver's outputs: `video`, or `images` with `animated`. */
  readonly videoKey: 'video' | 'images';
  /** How nodes of 3D models name files: by a text; with ` [temp]` where they lie there; or in a list `3d` as well. */
  readonly modelOutputs: 'text' | 'annotated' | 'listed';
  /** Whether descriptors of pictures have a `metadata` with their size. */
  readonly fileMetadata: boolean;
  /** Whether previews of newer classes have `animated: [false]` beside their pictures. */
  readonly stillPreviews: boolean;
  /**
   * Whether a local server keeps assets: its features say so, an upload answers with its `asset`, descriptors of files have an `id` of the run
   * and those of pictures a `preview_id`, and a view finds an upload by the hash of its content (`blake3:…`).
   */
  readonly assets: boolean;
  /**
   * Whether messages have what was open work of the engine in November 2026: `activity` of a node that loads a model, `seconds` of one that has
   * finished, and `completion_status` of a run.
   */
  readonly openWork: boolean;
  /**
   * What a cloud service has of the jobs API: `none` of it; `one`: a job and its cancellation; `all`: also the list, the cancellation of
   * many, the deletion, the assets of a job and short links.
   */
  readonly jobsApi: 'none' | 'one' | 'all';
  /** Whether `GET /api/node_replacements` is there, and unknown classes are replaced before validation. */
  readonly nodeReplacements: boolean;
  /**
   * What a cloud service makes of paid nodes: they run, and its features say so (`open`) or nothing (`unstated`); `refused`: the features
   * say that, and a submission with one is answered 402; `refused by policy`: the features are open, and it is answered 403.
   */
  readonly partnerNodes: 'unstated' | 'open' | 'refused' | 'refused by policy';
  /** Whether the account of a cloud service has a checkpoint of its own, which `object_info` has with `include_user_models=true` only. */
  readonly userModels: boolean;
  /** Whether the type-3 layout with a prompt id is announced and used. */
  readonly promptText: boolean;
  /** Jobs that may wait before POST answers 429 `QUEUE_LIMIT`. */
  readonly queueLimit: number;
  /** Largest upload in bytes. */
  readonly maxUploadBytes: number;
  /** Largest JSON body in bytes; beyond it the answer is 413. */
  readonly maxPromptBytes: number;
  /** Largest message that a client may send on a socket, in bytes; beyond it the socket is closed with 1009. */
  readonly maxMessageBytes: number;
}

/** Named sets of {@link Switches}: `interface` is the interface document's, `2026` the newer facts, `2026-11` the newest. */
export type Profile = 'interface' | '2026' | '2026-11';
