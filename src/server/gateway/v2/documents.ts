/** The words of `Job.status` in API v2; the last four are terminal. */
export type V2JobStatus =
  'queued' | 'running' | 'canceling' | 'succeeded' | 'failed' | 'canceled' | 'expired';

/** `Job.progress` of API v2 and the data of its `progress` event: a whole snapshot. */
export interface V2Progress {
  /** 0 to 1. */
  readonly value: number;
  readonly nodes_done: number;
  readonly nodes_total: number;
  readonly current_node?: string;
  readonly current_node_class?: string;
  readonly step?: number;
  readonly steps?: number;
  readonly message?: string;
}

/** The kinds of an output in API v2. */
export type V2OutputType = 'image' | 'video' | 'audio' | 'text' | 'file' | 'latent';

/** One of `Job.outputs` of API v2 and the data of its `output` event; the id is that of an asset. */
export interface V2Output {
  readonly node_id: string;
  /** A bare file name. */
  readonly name: string;
  readonly type: V2OutputType;
  readonly content_type: string;
  /** 0 while no source has told it. */
  readonly size_bytes: number;
  readonly id: string;
  readonly hash: string | null;
  readonly url: string;
  readonly url_expires_at: string;
  readonly job_id: string;
}

/** An asset of API v2. */
export interface V2Asset {
  readonly id: string;
  readonly hash: string | null;
  readonly size_bytes: number;
  readonly content_type: string;
  readonly created_at: string;
  readonly url: string;
  readonly url_expires_at: string;
  readonly file_path?: string;
  readonly created_new?: boolean;
  /** Absent: never. */
  readonly expires_at?: string;
  readonly job_id?: string;
}

/** `Job.error` of API v2. */
export interface V2JobError {
  readonly code: string;
  readonly message: string;
  readonly node_id?: string;
  readonly class_type?: string;
  readonly traceback?: string;
  /** The service's ids of the jobs that a submission of unknown outcome may have become. */
  readonly candidates?: readonly string[];
}

/** A job of API v2: the answer of submit, get and cancel. */
export interface V2Job {
  readonly id: string;
  readonly status: V2JobStatus;
  readonly created_at: string;
  readonly started_at: string | null;
  readonly completed_at: string | null;
  readonly expires_at: string;
  readonly queue_position: number | null;
  readonly progress: V2Progress | null;
  readonly outputs: readonly V2Output[];
  readonly error: V2JobError | null;
  readonly metrics: { readonly queue_ms: number | null; readonly execution_ms: number | null };
  readonly metadata?: Readonly<Record<string, string>>;
  readonly urls: { readonly self: string; readonly events: string; readonly cancel: string };
}

/**
 * Where the caller reaches the gateway, without a slash at the end: the origin that the caller used, and the path below which the
 * gateway is mounted. Links are made of it.
 */
export type CallerBase = string;

/** A time as every document has it: UTC with a `Z`, and never beyond the year 9999. */
export const timestamp = (milliseconds: number): string =>
  new Date(Math.max(0, Math.min(milliseconds, endOfTime))).toISOString();

const endOfTime = Date.UTC(9999, 11, 31);
