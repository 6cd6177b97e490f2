import { type Either, isLeft, left, right } from '../../../core/protocol/either.js';
import { type AddressContext, fileOfAddress } from './file-of-address.js';
import { inputFile } from '../contract/requests.js';
import type { Refusal } from '../http/refusal.js';
import { refusal } from '../v2/refusal.js';
import type { RouteCall } from '../http/route.js';
import { fromBase64 } from '../webhooks/signature.js';

/** The most files that one call may bring. */
export const maxFiles = 16;

/** A file that a call brings, with the name that it has there. */
export interface BroughtFile {
  readonly content: Blob;
  readonly filename: string | undefined;
}

/** The file that the value of an input is: a part of a form, bytes as base64, or an address; undefined for any other value. */
export const fileOf = async (
  call: Pick<RouteCall, 'hold' | 'uploadBytes' | 'request'>,
  value: unknown,
  context: AddressContext,
): Promise<Either<Refusal, BroughtFile | undefined>> => {
  if (value instanceof File) return right({ content: value, filename: nameOf(value.name) });
  if (!inputFile.is(value)) return right(undefined);
  if ('base64' in value) {
    const bytes = fromBase64(value.base64);
    return bytes === undefined
      ? left(refusal(422, 'invalid_inputs', '`base64` of an input is no base64.'))
      : right(fileWith(bytes, value));
  }
  const fetched = await fileOfAddress(call, value.url, context);
  if (isLeft(fetched)) return fetched;
  const { bytes, mediaType } = fetched.right;
  const named = {
    filename: value.filename ?? new URL(value.url).pathname,
    mediaType: value.mediaType ?? mediaType,
  };
  return right(fileWith(bytes, named));
};

const fileWith = (
  bytes: Uint8Array<ArrayBuffer>,
  { filename, mediaType = '' }: { readonly filename?: string; readonly mediaType?: string | undefined },
): BroughtFile => ({
  content: new Blob([bytes], { type: mediaType }),
  filename: filename === undefined ? undefined : nameOf(filename),
});

/** The last part of a name, without what a path can't have. */
const nameOf = (path: string): string | undefined => {
  const name = (path.split(/[/\\]/u).at(-1) ?? '').replaceAll(/\p{Cc}/gu, '').slice(-255);
  return name === '' || name === '.' || name === '..' ? undefined : name;
};
