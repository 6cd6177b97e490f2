import type { CallScope } from './call-scope.js';
import type { Endpoint } from '../endpoints/endpoint.js';
import type { HttpRequest } from '../platform/platform.js';

/** What the platform calls while a request leaves. */
export interface Transfer extends Required<Pick<HttpRequest, 'onSent' | 'onProgress'>> {
  /** Whether the request may have left whole. */
  readonly isSent: () => boolean;
}

/**
 * Has a limit of time count silence only while a body leaves: each piece of it that moves begins the limit anew, and the time for
 * the answer begins once the request may have left whole.
 *
 * What the platform counts as sent may still be in the buffers of the operating system, and a page can't see how much of a body has
 * left: so with `isRelaxed` the answer gets a second more for each 32 KiB that may be on their way.
 */
export const transferOf = (
  endpoint: Pick<Endpoint<unknown>, 'json' | 'form'>,
  scope: CallScope,
  isRelaxed: boolean,
): Transfer => {
  let isSent = false;
  let moved = 0;
  return {
    isSent: () => isSent,
    onSent: () => {
      isSent = true;
      const onTheWay = bodyBytes(endpoint) - moved + Math.min(moved, maxBuffered);
      scope.extend(isRelaxed ? Math.floor(onTheWay / slowestLine) * 1000 : 0);
      // An answer begins only once the service has dealt with the whole upload.
      scope.patient(endpoint.form === undefined ? undefined : Infinity);
    },
    onProgress: (bytes) => {
      moved += bytes;
      scope.moved(bytes);
      scope.patient();
    },
  };
};

/** Bytes a second. */
const slowestLine = 32 * 1024;

/** So much of a body the buffers of both ends may hold. */
const maxBuffered = 8 * 1024 * 1024;

const bodyBytes = ({ json = '', form = [] }: Pick<Endpoint<unknown>, 'json' | 'form'>): number =>
  form.reduce((sum, part) => sum + ('content' in part ? part.content.size : part.value.length), json.length);
