/**
 * What each text message carries in `data`, by its `type`: the eleven events of the interface and the answer of the
 * feature-flag handshake, members as on the wire (docs/protocol.md, chapter 6).
 *
 * Times are in milliseconds since 1970. Members that the interface does not name are kept as sent.
 *
 * @example
 * ```ts
 * import type { EventData } from 'promptwire';
 *
 * const isEnd = ({ node }: EventData['executing']): boolean => node === undefined || node === null || node === '';
 * ```
 */
export interface EventData {
  /** The queue changed: `queue_remaining`, flat or nested, counts the jobs that wait or run. */
  readonly status: {
    /** The newer, nested form. */
    readonly status?: ExecInfo | null;
    /** The form in between. */
    readonly exec_info?: ExecInfo['exec_info'];
    /** The count, in the form of the interface document. */
    readonly queue_remaining?: number;
    /** Only in a socket's first message: the socket's id. */
    readonly sid?: string | null;
  };
  /** A sentence for the user; `id` appears to be a job's id. */
  readonly notification: {
    /** The sentence. */
    readonly value: string;
    /** Appears to be a job's id. */
    readonly id?: string | null;
  };
  /** The job left the queue and started. */
  readonly execution_start: {
    /** The job's id. */
    readonly prompt_id: string;
    /** When, by the service's clock, in milliseconds since 1970. */
    readonly timestamp?: number | null;
  };
  /** The nodes whose cached results are used; the list may be empty. */
  readonly execution_cached: {
    /** The job's id. */
    readonly prompt_id: string;
    /** Ids of the nodes whose results are used. */
    readonly nodes: readonly string[];
    /** When, by the service's clock, in milliseconds since 1970. */
    readonly timestamp?: number | null;
  };
  /**
   * A node starts; or, with `node` null, empty or absent, the job stopped running, which does not say how it ended.
   *
   * The copy that a server sends after a reconnect has no `prompt_id`.
   */
  readonly executing: {
    /** The node that runs now; null, empty or absent if none does. */
    readonly node?: string | null;
    /** The node of the submitted workflow to show it at. */
    readonly display_node?: string | null;
    /** The job's id. */
    readonly prompt_id?: string | null;
  };
  /** Steps done (`value`) of all steps (`max`) of one node: fractions, or null if a node sent `NaN`; `max` may be 0. */
  readonly progress: {
    /** Steps done. */
    readonly value: number | null;
    /** All steps. */
    readonly max: number | null;
    /** The job's id. */
    readonly prompt_id: string;
    /** The node. */
    readonly node?: string | null;
  };
  /** All nodes of a job that have started: each message has the whole map by node id. */
  readonly progress_state: {
    /** The job's id. */
    readonly prompt_id: string;
    /** Node id → how far it is. */
    readonly nodes: Readonly<Record<string, ProgressStateNode>>;
  };
  /** A node finished with outputs; `output` is null for a cached node without any. */
  readonly executed: {
    /** The job's id. */
    readonly prompt_id: string;
    /** The node that finished. */
    readonly node: string;
    /** The node of the submitted workflow to show it at. */
    readonly display_node?: string | null;
    /** What it made: key → list. */
    readonly output?: Readonly<Record<string, unknown>> | null;
    /** Whether a server adds to what the node made before. */
    readonly merge?: boolean | null;
  };
  /** The job completed; its outputs may appear in history a moment later. */
  readonly execution_success: {
    /** The job's id. */
    readonly prompt_id: string;
    /** When, by the service's clock, in milliseconds since 1970. */
    readonly timestamp?: number | null;
  };
  /**
   * The job failed; or, with `exception_type` `ExecutionBlocked`, one branch was skipped and the job goes on.
   *
   * A failure before any node started names no node.
   */
  readonly execution_error: {
    /** The job's id. */
    readonly prompt_id: string;
    /** The kind of failure: one of six words of the interface, a Python class, or a newer word. */
    readonly exception_type: string;
    /** What went wrong, for people. */
    readonly exception_message: string;
    /** The node that it happened at; null or empty if no node had started. */
    readonly node_id?: string | null;
    /** The class of that node. */
    readonly node_type?: string | null;
    /** Ids of the nodes that had run. */
    readonly executed?: readonly string[] | null;
    /** The lines of the service's traceback. */
    readonly traceback?: readonly string[] | null;
    /** An object, or a list for a blocked branch. */
    readonly current_inputs?: unknown;
    /** An object or a list. */
    readonly current_outputs?: unknown;
    /** When, by the service's clock, in milliseconds since 1970. */
    readonly timestamp?: number | null;
  };
  /** The running job was cancelled, by this or by another client. */
  readonly execution_interrupted: {
    /** The job's id. */
    readonly prompt_id: string;
    /** The node that it happened at; null or empty if no node had started. */
    readonly node_id?: string | null;
    /** The class of that node. */
    readonly node_type?: string | null;
    /** Ids of the nodes that had run. */
    readonly executed?: readonly string[] | null;
    /** When, by the service's clock, in milliseconds since 1970. */
    readonly timestamp?: number | null;
  };
  /** The server's features, in answer to the client's first message. */
  readonly feature_flags: Readonly<Record<string, unknown>>;
}

/** The `type` of a text message that this version knows. */
export type EventType = keyof EventData;

/** The part of a `status` message that nests the count of jobs. */
export interface ExecInfo {
  /** What the service says of its queue. */
  readonly exec_info?: {
    /** How many jobs wait or run. */
    readonly queue_remaining?: number;
  } | null;
}

/** One node of a `progress_state` message; servers differ in its members, so each is optional. */
export interface ProgressStateNode {
  /** Steps done; null if a node sent `NaN`. */
  readonly value?: number | null;
  /** All steps; may be 0. */
  readonly max?: number | null;
  /** `pending`, `running`, `finished`, `error`, or a word of a newer server. */
  readonly state?: string;
  /** The node's id. */
  readonly node_id?: string | null;
  /** The job's id. */
  readonly prompt_id?: string | null;
  /** The node of the submitted workflow to show it at. */
  readonly display_node_id?: string | null;
  /** The node that made this one at run time. */
  readonly parent_node_id?: string | null;
  /** The node of the submitted workflow that this one was made from. */
  readonly real_node_id?: string | null;
  /** The class of the node. */
  readonly class_type?: string | null;
  /** What it does while it makes no steps, such as `loading`; only a branch of the engine sends it. */
  readonly activity?: unknown;
}

/** The events of which a newer one of the same job, or of the same node of it, stands for an older one. */
export const replacedBy: Readonly<Partial<Record<keyof EventData, 'job' | 'node'>>> = {
  progress: 'node',
  progress_state: 'job',
};
