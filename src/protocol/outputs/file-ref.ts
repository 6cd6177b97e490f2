/** Names one file of the service. */
export interface FileRef {
  readonly filename: string;
  /** Default empty. */
  readonly subfolder?: string;
  /** Default `output`. */
  readonly type?: string;
}
