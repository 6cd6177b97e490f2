/** Names one file of the service. */
export interface FileRef {
  /** Its name on the service, which says nothing about a folder. */
  readonly filename: string;
  /** Default empty. */
  readonly subfolder?: string;
  /** Default `output`. */
  readonly type?: string;
  /** Where it may lie instead: asked for where `type` has no such file. */
  readonly otherType?: string;
  /** Its record where the service keeps files as assets, which then names it alone: two files may share a name. */
  readonly asset?: AssetRef;
}

/** A file's record on a service that keeps files as assets (API v2). */
export interface AssetRef {
  /** Names the file in calls and in workflows. */
  readonly id: string;
  /** Of its bytes, as `blake3:` and 64 hexadecimal digits; absent if the service has not computed it. */
  readonly hash?: string;
  /** Where the service says that the bytes are, for a limited time. */
  readonly url?: string;
}

/** What the service calls an uploaded file; `setInput` and `fileInput` take it as it is. */
export interface UploadedFile {
  /** The name to put into a workflow. */
  readonly name: string;
  /** The folder within `type`; empty for none. */
  readonly subfolder: string;
  /** The folder that took it: `input` unless asked otherwise. */
  readonly type: string;
  /** Its record where the service keeps files as assets; a workflow then refers to that, and not to the name. */
  readonly asset?: AssetRef;
}
