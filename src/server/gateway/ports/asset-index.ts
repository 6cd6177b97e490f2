import type { UploadedFile } from '../../../core/protocol/file-ref.js';

/** A file that a caller uploaded, as the gateway knows it. */
export interface AssetRecord {
  /** The gateway's own id of the asset: 122 random bits. */
  readonly id: string;
  /** The name of the caller who uploaded it. */
  readonly owner: string;
  /** Which of the gateway's clients has the file. */
  readonly client: string;
  /** BLAKE3-256 of its bytes, as `blake3:` and 64 hexadecimal digits; absent if the runtime can't compute it. */
  readonly hash?: string;
  /** The size of the file. */
  readonly sizeBytes: number;
  /** The media type of the file. */
  readonly contentType: string;
  /** The caller's name of the file, with its folders. */
  readonly filePath?: string;
  /** In milliseconds since 1970. */
  readonly createdAt: number;
  /** From when on it is unknown, in milliseconds since 1970; absent: never. */
  readonly expiresAt?: number;
  /** What the service calls the file. */
  readonly stored: UploadedFile;
}

/** Knows which files callers uploaded. */
export interface AssetIndex {
  /** Resolves once the record is durable; a record with the same id is replaced. */
  readonly put: (record: AssetRecord) => Promise<void>;
  /** The record of an id, or undefined. */
  readonly get: (owner: string, id: string) => Promise<AssetRecord | undefined>;
  /** Records of the owner with these bytes, the newest first. */
  readonly byHash: (owner: string, hash: string) => Promise<readonly AssetRecord[]>;
  /** Forgets a record; the service's file stays. */
  readonly remove: (owner: string, id: string) => Promise<void>;
  /** Releases what the index holds open. */
  readonly close?: () => Promise<void>;
}
