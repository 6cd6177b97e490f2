import { answerOf, type HttpClient } from './http-client.js';
import { isJsonObject } from '../../core/protocol/json/json.js';
import { jsonBy, noGateway } from './read-answer.js';
import type { PageWorld } from '../../core/platform/page.js';
import { pathPart } from '../../core/protocol/path-part.js';

/** A file of a job's outputs, behind the gateway. */
export interface RemoteOutput {
  /** Names it among the outputs of its job. */
  readonly id: string;
  /** The node that made it. */
  readonly nodeId: string;
  /** Its name on the service. */
  readonly filename: string;
  /** `output`, or `temp` for a temporary file of a preview node. */
  readonly type: string;
  /** Its media type, by the service or its name. */
  readonly mediaType: string;
  /** Where the gateway serves it, to those who send the token or the cookie of the remote. */
  readonly url: string;
  /** Fetches its bytes; rejects with a `ServiceError`. */
  readonly blob: () => Promise<Blob>;
  /** Gives an address that an `<img>`, a `<video>` or a link takes as it is; it opens for at least four minutes. */
  readonly link: () => Promise<string>;
}

/** Options of `remote.outputs`. */
export interface RemoteOutputsOptions {
  /** `temp` lists the temporary files of preview nodes as well; default those of the type `output` only. */
  readonly include?: 'temp' | undefined;
}

/** A ticket opens for five minutes. */
const ticketKeptMs = 60_000;

/** Lists the files of a job so far. */
export const createOutputs =
  ({ request, withRetries, addressOf }: HttpClient, { clock }: Pick<PageWorld, 'clock'>) =>
  async (id: string, { include }: RemoteOutputsOptions = {}): Promise<readonly RemoteOutput[]> => {
    const path = `/jobs/${pathPart(id)}`;
    let ticket: Promise<string> | undefined;
    let askedAt = 0;
    const ticketNow = (): Promise<string> => {
      if (ticket === undefined || clock.now() - askedAt > ticketKeptMs) {
        askedAt = clock.now();
        ticket = answerOf(
          request(
            {
              method: 'POST',
              path: '/watch-tokens',
              headers: { 'content-type': 'application/json' },
              body: JSON.stringify({ job: id }),
            },
            jsonBy((value) => (isJsonObject(value) ? textOf(value['ticket']) : undefined)),
          ),
        );
        ticket.catch(() => (ticket = undefined));
      }
      return ticket;
    };
    const files = await answerOf(request({ path }, jsonBy(readFiles), withRetries));
    const listed = include === 'temp' ? files : files.filter(({ type }) => type === 'output');
    return listed.map((file) => {
      const ownPath = `${path}/outputs/${pathPart(file.id)}`;
      const url = addressOf(ownPath);
      const bytes = request<Blob>(
        { path: ownPath },
        async (response, next) => {
          const isPage = /^text\/html/iu.test(response.headers.get('content-type') ?? '');
          if (isPage && file.mediaType !== 'text/html') throw noGateway('the answer is an HTML page');
          next(await response.blob());
        },
        withRetries,
      );
      return {
        ...file,
        url,
        blob: () => answerOf(bytes),
        link: async () => `${url}?ticket=${await ticketNow()}`,
      };
    });
  };

type NamedFile = Pick<RemoteOutput, 'id' | 'nodeId' | 'filename' | 'type' | 'mediaType'>;

const readFiles = (value: unknown): readonly NamedFile[] | undefined => {
  const files = isJsonObject(value) ? value['files'] : undefined;
  if (!Array.isArray(files)) return undefined;
  const read = files.map(readFile);
  return read.every((file) => file !== undefined) ? read : undefined;
};

const readFile = (value: unknown): NamedFile | undefined => {
  if (!isJsonObject(value)) return undefined;
  const [id, nodeId, filename, mediaType] = ['id', 'nodeId', 'filename', 'mediaType'].map((name) =>
    textOf(value[name]),
  );
  // A gateway of an earlier version names no type.
  const type = textOf(value['type']) ?? 'output';
  return id === undefined || nodeId === undefined || filename === undefined || mediaType === undefined
    ? undefined
    : { id, nodeId, filename, type, mediaType };
};

const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);
