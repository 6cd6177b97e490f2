import type { HttpClient } from './http-client.js';
import { isJsonObject } from '../../core/protocol/json/json.js';
import { jsonBy } from './read-answer.js';
import { Observable } from 'rxjs';
import type { UploadedFile } from '../../core/protocol/file-ref.js';
import { pathPart } from '../../core/protocol/path-part.js';

/** Where an upload stands. */
export type UploadState =
  | {
      readonly _tag: 'uploading';
      /** Bytes that have left; 0 until the end where the runtime does not tell. */
      readonly sent: number;
      /** Bytes of the file. */
      readonly size: number;
    }
  | {
      readonly _tag: 'uploaded';
      /** What `setInput`, `fileInput` and inputs of templates take. */
      readonly file: UploadedFile;
    };

/** Options of an upload. */
export interface RemoteUploadOptions {
  /** Default the file's own name, or `file`. */
  readonly filename?: string | undefined;
  /**
   * The picture of which this is a mask, by the id of its asset or output: the service makes a new PNG of its colours and the mask's alpha channel.
   */
  readonly maskOf?: string | undefined;
}

/** Sends a file on subscribe: its progress, then what the gateway calls it. */
export const createUpload =
  ({ request }: HttpClient) =>
  (
    content: Blob,
    { filename = nameOf(content), maskOf }: RemoteUploadOptions = {},
  ): Observable<UploadState> =>
    new Observable((subscriber) => {
      const { size, type } = content;
      const onSent = (sent: number): void => subscriber.next({ _tag: 'uploading', sent, size });
      onSent(0);
      return request(
        {
          method: 'POST',
          path: `/uploads?filename=${pathPart(filename)}${maskOf === undefined ? '' : `&mask_of=${pathPart(maskOf)}`}`,
          headers: { 'content-type': type || 'application/octet-stream' },
          body: content,
          onSent,
        },
        jsonBy((value): UploadState | undefined => {
          if (!isJsonObject(value)) return undefined;
          const { name, subfolder, type: folder, asset } = value as Partial<UploadedFile>;
          return typeof name === 'string' && typeof asset?.id === 'string'
            ? { _tag: 'uploaded', file: { name, subfolder: subfolder ?? '', type: folder ?? 'input', asset } }
            : undefined;
        }),
      ).subscribe(subscriber);
    });

const nameOf = (content: Blob): string => (content as { readonly name?: string }).name ?? 'file';
