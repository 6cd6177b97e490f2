/** A file of the user, as the editor keeps workflows. */
export interface UserFile {
  readonly bytes: Uint8Array;
  readonly createdAt: number;
  readonly modifiedAt: number;
}
