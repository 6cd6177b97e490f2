/** A file to upload: its bytes, and its name without folders. */
export interface UploadFile {
  readonly content: Blob;
  readonly filename: string;
}
