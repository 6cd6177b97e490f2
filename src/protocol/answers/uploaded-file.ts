/** What the service calls an uploaded file; use `name` in the workflow. */
export interface UploadedFile {
  readonly name: string;
  readonly subfolder: string;
  readonly type: string;
}
