import * as E from '../protocol/either.js';
import type { Endpoint } from '../endpoints/endpoint.js';
import type { Handle } from './attempt.js';
import type { HttpConnection } from './connection.js';
import { readRefusal } from './refusal.js';
import { readText } from './read-text.js';
import { serviceError } from '../errors/service-error.js';

/** Reads an answer that is a file as text, up to the client's `maxAnswerBytes`, else 8 MiB. */
export const readFileText =
  (connection: HttpConnection, endpoint: Endpoint<unknown>): Handle<string> =>
  async (response, scope, context) => {
    const { status } = response;
    if (status < 200 || status > 299)
      return E.left(await readRefusal(connection, endpoint, response, scope, context));
    const maxBytes = connection.maxAnswerBytes ?? maxOfText;
    const { text, isTruncated } = await readText(response, scope, { maxBytes });
    scope.release();
    if (!isTruncated) return E.right(text);
    return E.left({
      delivery: 'unclear',
      error: serviceError('Decode', {
        endpoint: context.endpoint,
        status,
        option: 'maxAnswerBytes',
        reason: `it is larger than ${maxBytes} bytes`,
        message: `The file is larger than ${maxBytes} bytes.`,
        hint: 'A larger maxAnswerBytes of createClient reads it.',
      }),
    });
  };

const maxOfText = 8 * 1024 * 1024;
