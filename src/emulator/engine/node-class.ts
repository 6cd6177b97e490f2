import type { RunFfmpeg } from './codecs/ffmpeg.js';
import type { Switches } from '../switches.js';

/** A value that travels along a link of the graph, or a literal input. */
export type Value = unknown;

/** A decoded picture, perhaps transparent: 8-bit RGB, row by row, `width * height * 3` bytes. */
export interface Picture {
  readonly width: number;
  readonly height: number;
  readonly rgb: Uint8Array;
  /** How opaque each pixel is, where one is not whole; 255 is opaque. */
  readonly alpha?: Uint8Array;
}

/** A file of the emulator's store, in the interface's terms. */
export interface FileDescriptor {
  readonly filename: string;
  readonly subfolder: string;
  readonly type: 'output' | 'temp' | 'input';
}

/** The kinds of files that nodes store. */
type FileExtension =
  'png' | 'jpg' | 'webp' | 'svg' | 'flac' | 'mp3' | 'opus' | 'mp4' | 'webm' | 'txt' | 'md' | 'glb' | 'latent';

/** A file that a node stores. */
export interface NewFile {
  readonly bytes: Uint8Array;
  readonly extension: FileExtension;
  /** The requested name; slashes make a subfolder where the dialect has subfolders. */
  readonly prefix: string;
  readonly type: 'output' | 'temp';
  /** The whole name in place of prefix and counter, where names are not digests. */
  readonly name?: string;
}

/** The environment of a running node. */
export interface NodeContext {
  readonly nodeId: string;
  /** The whole graph, to be embedded in files. */
  readonly prompt: Readonly<Record<string, unknown>>;
  /** `extra_data.extra_pnginfo`, to be embedded in files. */
  readonly extraPngInfo: Readonly<Record<string, unknown>>;
  /** The partner key of this submission, if one came. */
  readonly partnerKey: string | undefined;
  /**
   * Reports a step, shows a preview and waits as long as a step takes at the emulator's speed. Rejects with
   * `Interrupted` when the job was cancelled, which a node lets pass.
   */
  readonly step: (value: number, max: number, preview?: () => Preview) => Promise<void>;
  /** Sends progress text (binary type 3). */
  readonly text: (text: string) => void;
  /** How nodes name models: by a text, by one with its folder where that is `temp`, or in a list of files as well. */
  readonly modelOutputs: Switches['modelOutputs'];
  /** Stores a file and answers its descriptor; names follow the profile (content hash, or prefix and counter). */
  readonly save: (file: NewFile) => FileDescriptor;
  /** Runs the program `ffmpeg`, until it has ended or the job is cancelled; rejects with an `FfmpegError`. */
  readonly ffmpeg: RunFfmpeg;
  /** Reads an uploaded or made file; `name` as the workflow has it, e.g. `a.png` or `sub/a.png [temp]`. */
  readonly load: (name: string) => Uint8Array | undefined;
  /** The names of all uploads, each with its folder. */
  readonly inputs: () => readonly string[];
}

/** An encoded preview picture. */
export interface Preview {
  readonly mediaType: 'image/jpeg' | 'image/png';
  readonly bytes: Uint8Array;
}

/** The result of a node: one value per output slot, and the output of its `executed` event. */
export interface NodeResult {
  readonly values: readonly Value[];
  /** Sent as `executed.output` and kept in history; absent for nodes that show nothing. */
  readonly ui?: Readonly<Record<string, readonly unknown[]>>;
  /**
   * Set where the node blocks the consumers of its outputs: the message that each direct consumer reports, or null for
   * nodes further downstream, which report none.
   */
  readonly blocked?: string | null;
  /** Set where the node becomes a subgraph, which runs in its place: its values are those of {@link Subgraph.outputs}. */
  readonly expand?: Subgraph;
}

/** The nodes that a node becomes while its job runs. */
export interface Subgraph {
  /** Node id → node; a link names a node of this subgraph, or one of the workflow. */
  readonly nodes: Readonly<
    Record<string, { readonly class_type: string; readonly inputs: Readonly<Record<string, unknown>> }>
  >;
  /** One link for each output of the node. */
  readonly outputs: readonly (readonly [nodeId: string, slot: number])[];
}

/** `[type]` or `[type, options]`, exactly as object_info sends it. */
export type InputSpec = readonly [
  type: string | readonly (string | number | boolean)[],
  options?: Readonly<Record<string, unknown>>,
];

/** The part of an object_info entry that is fixed for a class, exactly as it is sent. */
export interface NodeDefinition {
  readonly input: {
    readonly required?: Readonly<Record<string, InputSpec>>;
    readonly optional?: Readonly<Record<string, InputSpec>>;
    readonly hidden?: Readonly<Record<string, string | readonly string[]>>;
  };
  readonly input_order: Readonly<Record<string, readonly string[]>>;
  readonly output: readonly (string | readonly (string | number | boolean)[])[];
  readonly output_is_list: readonly boolean[];
  readonly output_name: readonly string[];
  readonly name: string;
  readonly display_name: string | null;
  readonly description: string;
  readonly python_module: string;
  readonly category: string;
  readonly output_node: boolean;
  readonly [more: string]: unknown;
}

/** The files that combo lists name. */
export interface ServerFiles {
  /** Uploads. */
  readonly inputs: readonly string[];
  /** The checkpoints of the machine; default the emulator's own. */
  readonly checkpoints?: readonly string[];
  /** Checkpoints of the account's own, where they are listed; default none. */
  readonly models?: readonly string[];
}

/** One node class: its object_info entry and its execution. */
export interface NodeClass {
  /** Called for each object_info and each validation, since combo lists may name uploaded files. */
  readonly definition: (files: ServerFiles) => NodeDefinition;
  readonly execute: (inputs: Readonly<Record<string, Value>>, context: NodeContext) => Promise<NodeResult>;
  /** The node's own check of literal inputs: a message refuses them (`custom_validation_failed`). */
  readonly validate?: (
    inputs: Readonly<Record<string, Value>>,
    files: { readonly exists: (name: string) => boolean },
  ) => string | undefined;
  /**
   * The lazy inputs that the node wants, by those that it has so far; asked until it wants no more. Without it, a node gets its
   * lazy inputs like the others.
   */
  readonly wants?: (inputs: Readonly<Record<string, Value>>) => readonly string[];
  /** True for nodes that take inputs which their class does not declare, and any value of a list. */
  readonly takesAnything?: boolean;
  /** True for nodes that need the partner key. */
  readonly partner?: boolean;
  /** True for nodes that run in every job and are never cached. */
  readonly always?: boolean;
}

/** Thrown by `NodeContext.step` when the job was cancelled. */
export class Interrupted extends Error {
  override readonly name = 'Interrupted';
}

/** Thrown by nodes to end a job with a chosen `exception_type`. */
export class NodeFailure extends Error {
  override readonly name = 'NodeFailure';
  readonly exceptionType: string;
  /** What the engine adds to the message. */
  readonly tip: string;

  constructor(exceptionType: string, message: string, tip = '') {
    super(message);
    this.exceptionType = exceptionType;
    this.tip = tip;
  }
}
