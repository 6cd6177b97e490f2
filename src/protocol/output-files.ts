/** One file of a job's outputs. */
export interface OutputFile {
  /** Key of the outputs object: the node that made it. */
  readonly nodeId: string;
  /** The node of the submitted workflow to show it at, where known and different. */
  readonly displayNodeId?: string;
  readonly filename: string;
  /** Empty where the service sent none. */
  readonly subfolder: string;
  /** `output` where the service sent none. */
  readonly type: string;
  /** By the descriptor's own format, else the file name's extension, else `application/octet-stream`. */
  readonly mediaType: string;
}
