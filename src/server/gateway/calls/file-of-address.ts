import { abortAfter } from '../../../core/platform/abort-after.js';
import type { Clock } from '../../../core/platform/platform.js';
import { type Either, left, right } from '../../../core/protocol/either.js';
import { hostClass } from '../../../core/platform/host-class.js';
import { HttpRefusal, type Refusal } from '../http/refusal.js';
import type { InputOptions } from './input-options.js';
import { refusal } from '../v2/refusal.js';
import type { RouteCall } from '../http/route.js';

const defaultTimeoutMs = 30_000;

/** The bytes of an address that calls may name. */
export interface FetchedFile {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly mediaType: string | undefined;
}

/** From where calls may name inputs by address, and the clock that bounds each fetch. */
export interface AddressContext {
  readonly inputs: InputOptions | undefined;
  readonly clock: Pick<Clock, 'after'>;
}

/** Reads an address of the origins that the operator lists, within the caller's limit of uploads. No refusal repeats the address. */
export const fileOfAddress = async (
  { hold, uploadBytes, request }: Pick<RouteCall, 'hold' | 'uploadBytes' | 'request'>,
  address: string,
  { inputs: options, clock }: AddressContext,
): Promise<Either<Refusal, FetchedFile>> => {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (options === undefined || url === undefined || !isAllowed(url, options)) return left(notListed);
  const signal = AbortSignal.any([request.signal, abortAfter(clock, options.timeoutMs ?? defaultTimeoutMs)]);
  try {
    const answer = await options.fetcher.fetch({
      ...{ url: url.href, signal, anyAddress: hostClass(url.hostname) !== 'public' },
    });
    if (answer.status !== 200) {
      answer.discard();
      return left(unreadable(reasonOf(answer.status)));
    }
    const bytes = await readWithin(answer.body, uploadBytes, hold);
    if (bytes !== undefined) return right({ bytes, mediaType: answer.mediaType });
    answer.discard();
    return left(refusal(413, 'payload_too_large', `An input may have at most ${uploadBytes} bytes.`));
  } catch (error) {
    if (error instanceof HttpRefusal) throw error;
    return left(unreadable(signal.aborted ? 'it took too long' : 'it could not be reached'));
  }
};

/** No file comes from a metadata service, whatever is listed. */
const isAllowed = (url: URL, { origins }: InputOptions): boolean =>
  origins.includes(url.origin) &&
  url.username + url.password === '' &&
  hostClass(url.hostname) !== 'forbidden';

const reasonOf = (status: number): string =>
  status >= 300 && status < 400
    ? 'it is somewhere else, and no redirect is followed'
    : `it answered ${status}`;

/** The whole body; undefined if it is too large. */
const readWithin = async (
  body: AsyncIterable<Uint8Array>,
  maxBytes: number,
  hold: Pick<RouteCall['hold'], 'add'>,
): Promise<Uint8Array<ArrayBuffer> | undefined> => {
  const pieces: Uint8Array[] = [];
  let size = 0;
  for await (const piece of body) {
    size += piece.length;
    if (size > maxBytes) return undefined;
    hold.add(piece.length);
    pieces.push(piece);
  }
  return new Uint8Array(await new Blob(pieces as Uint8Array<ArrayBuffer>[]).arrayBuffer());
};

const notListed = refusal(
  422,
  'input_not_allowed',
  'The operator of this gateway lets no input come from this address (inputs.origins of the gateway).',
);

const unreadable = (reason: string): Refusal =>
  refusal(422, 'input_unavailable', `An input can't be read from its address: ${reason}.`);
