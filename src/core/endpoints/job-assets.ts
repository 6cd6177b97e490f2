import { pathPart } from '../protocol/path-part.js';
import * as E from '../protocol/either.js';
import type { Endpoint } from './endpoint.js';
import { isJsonObject } from '../protocol/json/json.js';

/** A file of a job, as a cloud service keeps it; each member but id and name only where the service tells it. */
export interface JobAsset {
  /** The service's id of the file. */
  readonly id: string;
  /** Its name. */
  readonly name: string;
  /** Its bytes' hash, `blake3:` and 64 hexadecimal digits. */
  readonly hash?: string;
  /** Its media type. */
  readonly mediaType?: string;
  /** Its bytes. */
  readonly size?: number;
  /** The node that made it. */
  readonly nodeId?: string;
  /** The key of the node's outputs that it stands under. */
  readonly outputKey?: string;
  /** Its place there, from 0. */
  readonly outputIndex?: number;
  /** A link that only the owner of the account can open, relative to the address of the service. */
  readonly shortUrl?: string;
}

/** `GET /api/jobs/{id}/assets`: the files of a job, at most 500 of them (docs/protocol.md, 2.13). */
export const jobAssetsEndpoint = (promptId: string): Endpoint<readonly JobAsset[]> => ({
  method: 'GET',
  path: `/api/jobs/${pathPart(promptId)}/assets`,
  query: { limit: '500' },
  idempotency: 'always',
  promptId,
  read: (json) =>
    isJsonObject(json) && Array.isArray(json['assets'])
      ? E.right((json['assets'] as readonly unknown[]).flatMap(readAsset))
      : E.left('the answer lists no assets'),
});

const readAsset = (value: unknown): readonly JobAsset[] => {
  if (!isJsonObject(value) || typeof value['id'] !== 'string' || typeof value['name'] !== 'string') return [];
  const { id, name, size, output_index: index } = value;
  return [
    {
      ...{ id, name },
      ...textAs(value, 'hash', 'hash'),
      ...textAs(value, 'mime_type', 'mediaType'),
      ...(typeof size === 'number' && { size }),
      ...textAs(value, 'node_id', 'nodeId'),
      ...textAs(value, 'output_key', 'outputKey'),
      ...(typeof index === 'number' && { outputIndex: index }),
      ...textAs(value, 'short_url', 'shortUrl'),
    },
  ];
};

const textAs = <Name extends keyof JobAsset>(
  asset: Readonly<Record<string, unknown>>,
  member: string,
  name: Name,
): { readonly [Own in Name]?: string } => {
  const text = asset[member];
  return (typeof text === 'string' ? { [name]: text } : {}) as { readonly [Own in Name]?: string };
};
