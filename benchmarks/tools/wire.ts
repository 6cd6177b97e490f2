// Messages as a service sends them.

/** The id of the `index`-th job. */
export const promptIdOf = (index: number): string =>
  `6a1f0c52-7d3e-4b8a-9c1d-${String(index).padStart(12, '0')}`;

/** `max` is far away, so that each higher value is news. */
const max = 1_000_000_000;

export const progressText = (promptId: string, value: number): string =>
  message('progress', { value, max, prompt_id: promptId, node: '3' });

export const progressStateText = (promptId: string, value: number, nodeCount: number): string =>
  message('progress_state', {
    prompt_id: promptId,
    nodes: Object.fromEntries(
      Array.from({ length: nodeCount }, (_, index) => String(index + 1)).map((nodeId) => [
        nodeId,
        {
          value,
          max,
          state: 'running',
          node_id: nodeId,
          prompt_id: promptId,
          display_node_id: nodeId,
          parent_node_id: null,
          real_node_id: nodeId,
        },
      ]),
    ),
  });

/** A binary message of type 1. */
export const previewBytes = (size: number): Buffer => Buffer.concat([u32(1), u32(1), picture(size)]);

/** A binary message of type 4. */
export const namedPreviewBytes = (promptId: string, size: number): Buffer => {
  const metadata = Buffer.from(
    JSON.stringify({
      node_id: '3',
      prompt_id: promptId,
      display_node_id: '3',
      parent_node_id: null,
      real_node_id: '3',
      image_type: 'image/jpeg',
    }),
  );
  return Buffer.concat([u32(4), u32(metadata.length), metadata, picture(size)]);
};

export const message = (type: string, data: object): string => JSON.stringify({ type, data });

/** A message of a server in its WebSocket frame, which has no mask. */
export const inFrame = (data: string | Buffer): Buffer => {
  const payload = typeof data === 'string' ? Buffer.from(data) : data;
  const head = Buffer.alloc(10);
  head[0] = typeof data === 'string' ? 0x81 : 0x82;
  if (payload.length < 126) {
    head[1] = payload.length;
    return Buffer.concat([head.subarray(0, 2), payload]);
  }
  if (payload.length < 65_536) {
    head[1] = 126;
    head.writeUInt16BE(payload.length, 2);
    return Buffer.concat([head.subarray(0, 4), payload]);
  }
  head[1] = 127;
  head.writeBigUInt64BE(BigInt(payload.length), 2);
  return Buffer.concat([head, payload]);
};

/** A picture of `size` bytes as `@comfyorg/sdk` gets it: a server-sent event with base64. */
export const previewEvent = (size: number): Buffer =>
  Buffer.from(
    `event: preview\ndata: ${JSON.stringify({ node_id: '3', content_type: 'image/jpeg', data_base64: picture(size).toString('base64') })}\n\n`,
  );

/** What begins like a JPEG of `size` bytes. */
export const picture = (size: number): Buffer => {
  const bytes = Buffer.alloc(size, 0x5a);
  bytes.set([0xff, 0xd8, 0xff, 0xe0]);
  return bytes;
};

/** Four bytes, the highest first. */
export const u32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
};
