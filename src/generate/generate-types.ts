import type { DownloadOptions } from '../core/files/download-state.js';
import type { JobState } from '../core/state/job-state.js';
import type { ObjectInfo } from '../core/endpoints/object-info.js';
import type { OutputFile } from '../core/state/output-files.js';
import type { OutputName } from '../workflow/outputs/output-name.js';
import type { Workflow } from '../core/protocol/workflow.js';

/**
 * A workflow as people have it: in API format or as the editor saves it, as a value, as JSON text, or within a file: a `Blob` or bytes
 * of JSON, or of a picture, video or sound that carries it. A text that does not begin with a brace is the path of such a file.
 */
export type GenerateSource =
  Workflow | Readonly<Record<string, unknown>> | string | Blob | Uint8Array | ArrayBuffer;

/** A file for an input of a workflow: its bytes, or a stream of them, alone or with the name that the service is to see. */
export type InputFile =
  | Blob
  | Uint8Array
  | ArrayBuffer
  | ReadableStream<Uint8Array>
  | AsyncIterable<Uint8Array>
  | {
      /** The bytes. */
      readonly content: Blob | Uint8Array | ArrayBuffer;
      /** Their name. */
      readonly filename: string;
    };

/** What `generate` takes in every entry, beside the options of a run there. */
export interface GenerateInputs {
  /**
   * Values by the names of inputs, such as `Positive.text`, as `template` and `findInput` take them: `NODE.INPUT`, where NODE is a title,
   * a class or an id. An {@link InputFile} is uploaded, once for each client and content, and its name put in; so is the path of a
   * file in an input that takes files, where there is such a file: any other text there names a file of the service.
   */
  readonly inputs?: Readonly<Record<string, unknown>> | undefined;
  /**
   * Saves the files of a completed job into this folder, which is made where it is missing; default: they stay at the service. In a page,
   * which has no disk, and through a gateway it is `InvalidConfig`.
   */
  readonly into?: string | undefined;
  /**
   * The node classes of the service, by which inputs are checked before anything is sent, and a file of the editor is converted; default:
   * asked for where they are needed, of the service, of the gateway, or by the `client` of a queue: all of them once for a file of the
   * editor, and those of the nodes that do not have an input that is named in `inputs`. Such an input is `UnknownInput` unless its class has it.
   */
  readonly definitions?: ObjectInfo | undefined;
  /** `temp` takes all files, those of preview nodes as well; default those of the type `output` only. */
  readonly include?: 'temp' | undefined;
  /**
   * Names the files: a pattern such as `{title}-{seed}-{index}`, as `nameOutputs` takes it, or a function; default as there. Another
   * pattern is `InvalidConfig` before anything is sent.
   */
  readonly name?: string | DownloadOptions<JobState>['name'];
  /**
   * What unsubscribing and `signal` do to the job: default `cancel`, since nothing else knows of it; with `detach` it goes on.
   */
  readonly onUnsubscribe?: 'detach' | 'cancel' | undefined;
  /** Asks for the end of the job, unless `onUnsubscribe` is `detach`, and ends with `Aborted`. */
  readonly signal?: AbortSignal | undefined;
}

/** A file that a job made. */
export interface GeneratedFile extends OutputFile, OutputName {
  /** What it is saved as, and what a page may offer it as: safe on every platform, and unlike the names of the other files. */
  readonly name: string;
  /** Where it is saved; absent without the option `into`. */
  readonly path?: string;
  /** Where the service says that it is, for a limited time, or where the gateway serves it; absent if neither is known. */
  readonly url?: string;
  /** Reads it from the service; rejects with a `ServiceError`, after the client has closed with `Closed`. */
  readonly bytes: () => Promise<Uint8Array>;
  /** Reads it from the service as a `Blob` of its type; rejects as `bytes` does. */
  readonly blob: () => Promise<Blob>;
}

/** A state of a job that `generate` runs. */
export interface GeneratedState extends JobState {
  /** Its files, in the order of the outputs; the last state has them. */
  readonly files?: readonly GeneratedFile[];
  /**
   * Its files by the titles of their nodes, as `outputsByTitle` gives them; the last state has them. A title that several nodes have
   * does not name one: their ids do.
   */
  readonly outputsByTitle?: Readonly<Record<string, readonly GeneratedFile[]>>;
}

/** What `generate` made, where it is awaited. */
export interface Generated {
  /** The job's files, in the order of its outputs. */
  readonly files: readonly GeneratedFile[];
  /** The same by the titles of their nodes, as `outputsByTitle` of `promptwire/workflow` names them. */
  readonly outputs: Readonly<Record<string, readonly GeneratedFile[]>>;
  /** The last state of the job, for its texts, warnings and `promptId`. */
  readonly state: GeneratedState;
}
