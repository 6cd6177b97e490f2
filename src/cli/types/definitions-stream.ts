import { createPlatform, orThrow, type Session } from '../run-command.js';
import { createReadStream } from 'node:fs';
import { errorCode } from '../error-code.js';
import { messageOf } from '../error-message.js';
import { isServiceError, serviceError } from '../../node.js';
import { reasonOf } from '../input/read-json.js';
import { UsageError } from '../cli-io.js';
import { writeExactJson } from '../../workflow.js';

/** The node classes in a file, or on standard input for `-`, as bytes. */
export async function* definitionsOfFile(
  file: string,
  { io, stop }: Pick<Session, 'io' | 'stop'>,
): AsyncGenerator<Uint8Array> {
  try {
    const stream = file === '-' ? io.stdin : createReadStream(file, { signal: stop });
    for await (const chunk of stream)
      yield typeof chunk === 'string' ? Buffer.from(chunk) : (chunk as Uint8Array);
  } catch (error) {
    throw stop.aborted ? error : new UsageError(`can't read ${file}: ${reasonOf(error)}`);
  }
}

/**
 * The node classes of the service, as bytes, while they arrive. Where that request fails, the call of the client gives them, or throws
 * why the service does not. A service that sends nothing for `silenceMs` is given up.
 */
export async function* streamedDefinitions(
  session: Pick<Session, 'settings' | 'connect' | 'stop'>,
  silenceMs = 30_000,
): AsyncGenerator<Uint8Array> {
  // The client checks the address before a key leaves.
  const { rest } = await session.connect();
  const settings = await session.settings();
  const { agent } = settings;
  const platform = createPlatform(agent === undefined ? {} : { agent });
  const silence = new AbortController();
  const wait = () => setTimeout(() => silence.abort(), silenceMs);
  let timer = wait();
  try {
    const signal = AbortSignal.any([session.stop, silence.signal]);
    const response = await platform.request({ ...requestOf(settings), signal }).catch(() => undefined);
    if (response?.status === 200) {
      for await (const chunk of response.body) {
        clearTimeout(timer);
        yield chunk;
        timer = wait();
      }
      return;
    }
    clearTimeout(timer);
    response?.discard();
    const definitions = orThrow(await rest.objectInfo({ signal: session.stop })());
    yield Buffer.from(writeExactJson(definitions));
  } catch (error) {
    if (session.stop.aborted || isServiceError(error)) throw error;
    throw silence.signal.aborted
      ? brokenOff('ETIMEDOUT', `nothing came for ${silenceMs} ms`)
      : brokenOff(errorCode(error) ?? 'ECONNRESET', messageOf(error));
  } finally {
    clearTimeout(timer);
    await platform.close?.();
  }
}

/** The request for the list of node classes. */
const requestOf = ({
  baseUrl,
  apiKey,
  headers = [],
  auth,
  workspace,
}: Awaited<ReturnType<Session['settings']>>) =>
  ({
    method: 'GET',
    url: `${baseUrl.replace(/\/+$/u, '')}/api/object_info`,
    headers: {
      ...Object.fromEntries(headers.map(([name, value]) => [name.toLowerCase(), value])),
      ...(apiKey !== undefined && {
        ...(auth === 'bearer' ? { authorization: `Bearer ${apiKey}` } : { 'x-api-key': apiKey }),
        ...(workspace !== undefined && { 'x-comfy-workspace-id': workspace }),
      }),
    },
    streamed: true,
  }) as const;

const brokenOff = (code: string, reason: string): Error =>
  serviceError('Network', {
    code,
    sent: true,
    message: `The list of node classes broke off: ${reason}`,
  });
