/** The words of `Job.status`; the last four are terminal. */
export type JobStatus = 'queued' | 'running' | 'canceling' | 'succeeded' | 'failed' | 'canceled' | 'expired';

/** True for a status that a job never leaves. */
export const isTerminal = (status: JobStatus): boolean => terminal.has(status);

const terminal: ReadonlySet<JobStatus> = new Set(['succeeded', 'failed', 'canceled', 'expired']);

/** `Job.progress` and the data of `progress`: a whole snapshot. */
export interface ProgressDocument {
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

/** The kinds of an output. */
export type OutputType = 'image' | 'video' | 'audio' | 'text' | 'file' | 'latent';

/** One of `Job.outputs` and the data of `output`; its id is that of an asset. */
export interface OutputDocument {
  readonly node_id: string;
  /** A bare file name. */
  readonly name: string;
  readonly type: OutputType;
  readonly content_type: string;
  readonly size_bytes: number;
  readonly id: string;
  readonly hash: string | null;
  readonly url: string;
  readonly url_expires_at: string;
  readonly job_id?: string;
}

/** An asset. */
export interface AssetDocument {
  readonly id: string;
  readonly hash: string | null;
  readonly size_bytes: number;
  readonly content_type: string;
  readonly created_at: string;
  readonly url: string;
  readonly url_expires_at: string;
  readonly file_path?: string | null;
  readonly created_new?: boolean;
  /** Absent: never. */
  readonly expires_at?: string | null;
  readonly job_id?: string | null;
}

/** `Job.error`. */
export interface JobErrorDocument {
  readonly code: string;
  readonly message: string;
  readonly node_id?: string;
  readonly class_type?: string;
  readonly traceback?: string;
}

/** The answer of submit, poll and cancel. */
export interface JobDocument {
  readonly id: string;
  readonly status: JobStatus;
  readonly created_at: string;
  readonly started_at: string | null;
  readonly completed_at: string | null;
  readonly expires_at: string;
  readonly queue_position: number | null;
  readonly progress: ProgressDocument | null;
  readonly outputs: readonly OutputDocument[];
  readonly error: JobErrorDocument | null;
  readonly metrics?: { readonly queue_ms: number | null; readonly execution_ms: number | null };
  readonly metadata?: Readonly<Record<string, string>>;
  readonly urls: {
    readonly self: string;
    readonly events: string;
    readonly cancel: string;
    readonly logs?: string;
  };
}

/** A time as every document has it: UTC with a `Z`, and never beyond the year 9999. */
export const timestamp = (milliseconds: number): string =>
  new Date(Math.min(milliseconds, END_OF_TIME)).toISOString();

const END_OF_TIME = Date.UTC(9999, 11, 31);

/** The kind of an output file, by the engine's key of its list and by its media type. */
export const outputType = (key: string, contentType: string): OutputType => {
  if (key === 'latents') return 'latent';
  const [family = ''] = contentType.split('/');
  switch (family) {
    case 'image':
      return key === 'gifs' ? 'video' : 'image';
    case 'video':
    case 'audio':
    case 'text':
      return family;
    default:
      return 'file';
  }
};
