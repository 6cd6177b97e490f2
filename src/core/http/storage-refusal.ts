import { documentIn, longestSeen, plainWords, redirectTarget, withoutQueries } from '../errors/seen.js';
import { downloadFailed } from './file-body.js';
import type { CallContext } from './failure.js';
import type { CallScope } from './call-scope.js';
import type { HttpResponse } from '../platform/platform.js';
import { readText } from './read-text.js';
import { sampleOf } from '../redaction/redact.js';
import type { ServiceError } from '../errors/errors.js';

/**
 * The error of a storage's answer that is no file, which says what was seen: the status, the kind of content, the storage's words, or where it
 * redirects to. Of its document only code and message are shown, since storages quote what was signed, and of addresses no query.
 */
export const storageRefusal = async (
  response: HttpResponse,
  {
    filename,
    scope,
    context,
  }: { readonly filename: string; readonly scope: CallScope; readonly context: CallContext },
): Promise<ServiceError> => {
  const { status, headers } = response;
  let text = '';
  if (status < 400) response.discard();
  else {
    scope.patient(wordsWithinMs);
    ({ text } = await readText(response, scope, { maxBytes: maxErrorBytes, acceptPartial: true }));
  }
  const seen = [
    documentIn(text, longestSeen) ?? kindOf(headers['content-type']),
    toOf(headers['location']),
  ].filter((one) => one !== undefined);
  const words = storageWords(text) ?? plainWords(text, longestSeen);
  const reason = [
    `the storage answered ${[status, ...seen].join(', ')}`,
    ...(words === undefined ? [] : [words]),
  ];
  return downloadFailed(
    filename,
    sampleOf(reason.join(': '), maxShown, context.redact).replace(/\.$/u, ''),
    context,
    {
      status,
      ...(status === 403 && { hint: signedAnew }),
    },
  );
};

const toOf = (location: string | undefined): string | undefined => {
  const target = redirectTarget(location);
  return target === undefined ? undefined : `to ${target}`;
};

/** The media type of an answer that is a file of another kind. */
const kindOf = (type: string | undefined): string | undefined =>
  /^\s*([\w.+-]+\/[\w.+-]+)/u.exec(type ?? '')?.[1]?.toLowerCase();

/** Code and message of the XML in which object stores refuse. */
const storageWords = (text: string): string | undefined => {
  const words = ['Code', 'Message'].flatMap(
    (name) => new RegExp(`<${name}>([^<]{1,300})</${name}>`, 'u').exec(text)?.[1]?.trim() ?? [],
  );
  return words.length === 0 ? undefined : withoutQueries(words.join(', '));
};

const signedAnew =
  'Download the file again: the service signs its address anew. A storage that goes on refusing does not know the file or the time.';
const wordsWithinMs = 5_000;
const maxErrorBytes = 64 * 1024;
const maxShown = 400;
